#include "pulsecast/autodiff/operations/dropout.h"

#include "pulsecast/base/error.h"
#include "pulsecast/kernels/elementwise.h"

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
  for (std::size_t row = 0; row < x.shape.rows(); ++row) {
    random::dropout_scale(stream, first_row + row, rate, {scales + row * width, width});
  }
  kernels::multiply(x.count(), x.data, scales, false, y.data);
  if (tracked) {
    tape.note([&tape, x, y, scales] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      kernels::multiply(x.count(), g, scales, to.accumulate, to.data);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
