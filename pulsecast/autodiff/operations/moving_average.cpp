#include "pulsecast/autodiff/operations/moving_average.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/normalise/moving_average.h"

namespace pulsecast::autodiff {

Tensor moving_average(Tape& tape, const Tensor& x, std::size_t window) {
  require(x.shape.rank() == 2 && x.shape[1] >= 1, "moving_average", "x (rows, length)", x);
  if (window % 2 == 0) {
    throw_error(ErrorKind::kUsage, "moving_average", "expected an odd window, got {}", window);
  }
  const std::size_t rows = x.shape[0];
  const std::size_t length = x.shape[1];
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  const auto scratch = [&tape, length, window] {
    return tape.arena()
        .allocate<double>(kernels::moving_average_scratch_doubles(length, window))
        .data();
  };
  {
    const ArenaScope scope(tape.arena());
    kernels::moving_average(rows, length, window, x.data, y.data, scratch());
  }
  if (tracked) {
    tape.note([rows, length, window, x, y, scratch, &tape] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      const ArenaScope scope(tape.arena());
      kernels::moving_average_backward(rows, length, window, g, to, scratch());
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
