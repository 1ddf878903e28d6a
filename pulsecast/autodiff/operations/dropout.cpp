#include "pulsecast/autodiff/operations/dropout.h"

#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/pointwise/dropout.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff {

Tensor dropout(Tape& tape, const Tensor& x, const random::Stream& stream, float rate,
               std::uint64_t first_row) {
  if (!(rate >= 0.0f && rate < 1.0f)) {
    throw_error(ErrorKind::kUsage, "dropout", "expected a rate from 0 to below 1, got {}", rate);
  }
  if (rate == 0.0f) return x;
  const std::size_t width = x.shape.width();
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  float* scales = tape.floats(x.count());
  share_rows(tape, x.shape.rows(), width, [&](std::size_t first, std::size_t count) {
    kernels::dropout(count, width, stream, rate, first_row + first, x.data + first * width,
                     y.data + first * width, scales + first * width);
  });
  if (tracked) {
    tape.note([&tape, x, y, scales] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_values(tape, x.count(), [&](std::size_t first, std::size_t count) {
        kernels::multiply(count, g + first, scales + first, to.accumulate, to.data + first);
      });
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
