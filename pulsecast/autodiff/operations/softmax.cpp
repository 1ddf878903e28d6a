#include "pulsecast/autodiff/operations/softmax.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/attention/softmax.h"

namespace pulsecast::autodiff {

Tensor softmax(Tape& tape, const Tensor& x) {
  require(x.shape.rank() >= 1, "softmax", "x (..., width)", x);
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  kernels::softmax(x.shape.rows(), x.shape.width(), x.data, y.data);
  if (tracked) {
    tape.note([&tape, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      kernels::softmax_backward(x.shape.rows(), x.shape.width(), y.data, g, tape.outgoing(x));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
