#include "pulsecast/autodiff/operations/spectrum.h"

#include <cmath>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/spectrum/modulus.h"

namespace pulsecast::autodiff {

namespace {

// The usual count for a real transform, 2.5 n log2 n.
std::size_t transform_cost(std::size_t rows, std::size_t n) {
  const auto length = static_cast<double>(n);
  return rows * static_cast<std::size_t>(2.5 * length * std::log2(length));
}

// body(first row, rows, scratch) for each part of the rows.
template <typename Body>
void share_transforms(Tape& tape, const kernels::RealFft& fft, std::size_t rows, Body body) {
  const Team& team = tape.team();
  const std::size_t each = fft.scratch_floats();
  float* scratch = tape.floats(team.workers() * each);
  team.split(rows, kernels::pass_rows(fft.length()), [&](const Team::Part& part) {
    body(part.first, part.count, scratch + part.worker * each);
  });
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
    share_transforms(tape, fft, rows, [&](std::size_t first, std::size_t count, float* scratch) {
      fft.forward(x.data + first * fft.length(), count, y.data + first * 2 * fft.bins(), scratch);
    });
  }
  if (tracked) {
    tape.note([&tape, &fft, rows, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      const ArenaScope scope(tape.arena());
      share_transforms(tape, fft, rows, [&](std::size_t first, std::size_t count, float* scratch) {
        fft.adjoint(g + first * 2 * fft.bins(), count, to.data + first * fft.length(),
                    to.accumulate, scratch);
      });
    });
  }
  return y;
}

Tensor inverse_spectrum(Tape& tape, const Tensor& z, const kernels::RealFft& fft) {
  require(z.shape.rank() == 3 && z.shape[1] == fft.bins() && z.shape[2] == 2, "inverse_spectrum",
          "z (rows, bins, 2) with the bins of the transform", z);
  const std::size_t rows = z.shape[0];
  const bool tracked = tape.tracks(z);
  const Tensor y = tape.result({rows, fft.length()}, tracked);
  tape.spend(transform_cost(rows, fft.length()));
  {
    const ArenaScope scope(tape.arena());
    share_transforms(tape, fft, rows, [&](std::size_t first, std::size_t count, float* scratch) {
      fft.inverse(z.data + first * 2 * fft.bins(), count, y.data + first * fft.length(), scratch);
    });
  }
  if (tracked) {
    tape.note([&tape, &fft, rows, z, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(z);
      const ArenaScope scope(tape.arena());
      share_transforms(tape, fft, rows, [&](std::size_t first, std::size_t count, float* scratch) {
        fft.inverse_adjoint(g + first * fft.length(), count, to.data + first * 2 * fft.bins(),
                            to.accumulate, scratch);
      });
    });
  }
  return y;
}

Tensor modulus(Tape& tape, const Tensor& z) {
  require(z.shape.rank() == 3 && z.shape[2] == 2, "modulus", "z (rows, n, 2)", z);
  const bool tracked = tape.tracks(z);
  const Tensor y = tape.result({z.shape[0], z.shape[1]}, tracked);
  share_values(tape, y.count(), [&](std::size_t first, std::size_t count) {
    kernels::modulus(count, z.data + 2 * first, y.data + first);
  });
  if (tracked) {
    tape.note([&tape, z, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(z);
      share_values(tape, y.count(), [&](std::size_t first, std::size_t count) {
        kernels::modulus_backward(count, z.data + 2 * first, y.data + first, g + first,
                                  from(to, 2 * first));
      });
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
