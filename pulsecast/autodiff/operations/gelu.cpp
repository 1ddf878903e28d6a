#include "pulsecast/autodiff/operations/gelu.h"

#include "pulsecast/kernels/elementwise.h"
#include "pulsecast/kernels/gelu.h"

namespace pulsecast::autodiff {

Tensor gelu(Tape& tape, const Tensor& x) {
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  float* slope = tracked ? tape.floats(x.count()) : nullptr;
  kernels::gelu(x.count(), x.data, y.data, slope);
  if (tracked) {
    tape.note([&tape, x, y, slope] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      kernels::multiply(x.count(), g, slope, to.accumulate, to.data);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
