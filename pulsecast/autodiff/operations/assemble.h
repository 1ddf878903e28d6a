// Matrices put together from pieces of others.
#pragma once

#include <initializer_list>

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::autodiff {

// The first rows and columns of `from` (a vector is one row), put where a matrix has row `row` and
// column `column`; transposed, the rows become columns there.
struct Piece {
  Tensor from;
  std::size_t rows;
  std::size_t columns;
  std::size_t row = 0;
  std::size_t column = 0;
  bool is_transposed = false;
};

// shape (m, n) with the pieces in it, which do not overlap, and zeros elsewhere.
Tensor assemble(Tape& tape, const Shape& shape, std::initializer_list<Piece> pieces);

}  // namespace pulsecast::autodiff
