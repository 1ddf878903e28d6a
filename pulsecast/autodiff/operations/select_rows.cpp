#include "pulsecast/autodiff/operations/select_rows.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"

namespace pulsecast::autodiff {

Tensor select_rows(Tape& tape, const Tensor& x, std::span<const std::uint32_t> selected) {
  require(x.shape.rank() == 2 && selected.size() <= x.shape[0], "select_rows",
          "x (rows, n) and no more numbers than rows", x);
  const std::size_t n = x.shape[1];
  const Tensor y = tape.result({selected.size(), n}, tape.tracks(x));
  for (std::size_t i = 0; i < selected.size(); ++i) {
    std::copy_n(x.data + selected[i] * n, n, y.data + i * n);
  }
  if (tape.tracks(x)) {
    tape.note([&tape, x, y, selected, n] {
      const float* incoming = Tape::incoming(y);
      if (incoming == nullptr) return;
      float* gradient = tape.floats(x.count());
      std::fill_n(gradient, x.count(), 0.0f);
      for (std::size_t i = 0; i < selected.size(); ++i) {
        std::copy_n(incoming + i * n, n, gradient + selected[i] * n);
      }
      tape.contribute(x, gradient, 1.0f);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
