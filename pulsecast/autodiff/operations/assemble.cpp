#include "pulsecast/autodiff/operations/assemble.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"

namespace pulsecast::autodiff {
namespace {

void check(const Shape& shape, const Piece& piece) {
  const std::size_t height = piece.is_transposed ? piece.columns : piece.rows;
  const std::size_t width = piece.is_transposed ? piece.rows : piece.columns;
  require(piece.from.shape.rank() <= 2 && piece.rows <= piece.from.shape.rows() &&
              piece.columns <= piece.from.shape.width() && piece.row + height <= shape[0] &&
              piece.column + width <= shape[1],
          "assemble", "a matrix that has the piece, and a place that holds it", piece.from);
}

// body(index into the piece, index into a matrix of `width` columns)
template <typename Body>
void for_values(const Piece& piece, std::size_t width, Body body) {
  const std::size_t stride = piece.from.shape.width();
  for (std::size_t i = 0; i < piece.rows; ++i) {
    for (std::size_t j = 0; j < piece.columns; ++j) {
      const std::size_t row = piece.row + (piece.is_transposed ? j : i);
      const std::size_t column = piece.column + (piece.is_transposed ? i : j);
      body(i * stride + j, row * width + column);
    }
  }
}

}  // namespace

Tensor assemble(Tape& tape, const Shape& shape, std::initializer_list<Piece> pieces) {
  bool tracked = false;
  for (const Piece& piece : pieces) {
    check(shape, piece);
    tracked = tracked || tape.tracks(piece.from);
  }
  const Tensor y = tape.result(shape, tracked);
  std::fill_n(y.data, y.count(), 0.0f);
  for (const Piece& piece : pieces) {
    for_values(piece, shape[1],
               [&](std::size_t from, std::size_t to) { y.data[to] = piece.from.data[from]; });
    if (!tape.tracks(piece.from)) continue;
    tape.note([&tape, piece, y, width = shape[1]] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(piece.from);
      if (!to.accumulate) std::fill_n(to.data, piece.from.count(), 0.0f);
      for_values(piece, width, [&](std::size_t from, std::size_t at) { to.data[from] += g[at]; });
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
