#include "pulsecast/autodiff/operations/spectrum.h"

#include <cmath>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/modulus.h"

namespace pulsecast::autodiff {

namespace {

// The usual count for a real transform, 2.5 n log2 n.
std::size_t transform_cost(std::size_t rows, std::size_t n) {
  const auto length = static_cast<double>(n);
  return rows * static_cast<std::size_t>(2.5 * length * std::log2(length));
}

}  // namespace

Tensor spectrum(Tape& tape, const Tensor& x, const kernels::RealFft& fft) {
  require(x.shape.rank() == 2 && x.shape[1] == fft.length(), "spectrum",
          "x (rows, n) with the n of the transform", x);
  const std::size_t rows = x.shape[0];
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, fft.bins(), 2}, tracked);
  tape.spend(transform_cost(rows, fft.length()));
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

Tensor modulus(Tape& tape, const Tensor& z) {
  require(z.shape.rank() == 3 && z.shape[2] == 2, "modulus", "z (rows, n, 2)", z);
  const bool tracked = tape.tracks(z);
  const Tensor y = tape.result({z.shape[0], z.shape[1]}, tracked);
  kernels::modulus(y.count(), z.data, y.data);
  if (tracked) {
    tape.note([&tape, z, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      kernels::modulus_backward(y.count(), z.data, y.data, g, tape.outgoing(z));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
