#include "pulsecast/autodiff/operations/gelu.h"

#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/pointwise/gelu.h"

namespace pulsecast::autodiff {

Tensor gelu(Tape& tape, const Tensor& x) {
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  float* slope = tracked ? tape.floats(x.count()) : nullptr;
  share_values(tape, x.count(), [&](std::size_t first, std::size_t count) {
    kernels::gelu(count, x.data + first, y.data + first, tracked ? slope + first : nullptr);
  });
  if (tracked) {
    tape.note([&tape, x, y, slope] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_values(tape, x.count(), [&](std::size_t first, std::size_t count) {
        kernels::multiply(count, g + first, slope + first, to.accumulate, to.data + first);
      });
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
