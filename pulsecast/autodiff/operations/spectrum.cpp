#include "pulsecast/autodiff/operations/spectrum.h"

#include "pulsecast/autodiff/operations/shape_check.h"

namespace pulsecast::autodiff {

Tensor spectrum(Tape& tape, const Tensor& x, const kernels::RealFft& fft) {
  require(x.shape.rank() == 2 && x.shape[1] == fft.length(), "spectrum",
          "x (rows, n) with the n of the transform", x);
  const std::size_t rows = x.shape[0];
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, fft.bins(), 2}, tracked);
  {
    const ArenaScope scope(tape.arena());
    fft.forward(x.data, rows, y.data, tape.floats(fft.scratch_floats()));
  }
  if (tracked) {
    tape.note([&tape, &fft, rows, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      const ArenaScope scope(tape.arena());
      fft.adjoint(g, rows, to.data, to.accumulate, tape.floats(fft.scratch_floats()));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
