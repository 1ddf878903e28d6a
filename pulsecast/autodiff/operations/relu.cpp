#include "pulsecast/autodiff/operations/relu.h"

#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/pointwise/relu.h"

namespace pulsecast::autodiff {

Tensor relu(Tape& tape, const Tensor& x) {
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  share_values(tape, x.count(), [&](std::size_t first, std::size_t count) {
    kernels::relu(count, x.data + first, y.data + first);
  });
  if (tracked) {
    tape.note([&tape, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_values(tape, x.count(), [&](std::size_t first, std::size_t count) {
        kernels::relu_backward(count, y.data + first, g + first, from(to, first));
      });
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
