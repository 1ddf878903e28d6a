// Matrix products of our own shapes: tens to a few thousand rows against a weight of some hundreds.
//
// An element of a product is summed over k in order, by fused multiply-adds, in blocks of
// kProductBlock whose sums are added in order. So its bits depend on the row of A and the column of
// B alone: not on how many rows there are, on where a row lies, on threads, nor on how wide the
// vectors are (only the fallback without vectors rounds between multiplying and adding).
//
// Every call runs on the calling thread alone and takes no memory; shared_product.h cuts a product
// for a team.
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

inline constexpr std::size_t kProductBlock = 256;

// A matrix whose stored rows are `stride` floats apart, read as its transpose where it says so.
struct Matrix {
  const float* data;
  std::size_t stride;
  bool is_transposed = false;
};

// A right factor (rows, columns) in the order in which products read it: panels of as many columns
// as sums fit in registers, each panel row after row, the last one filled up with zeros to whole
// vectors. The order is of this machine's vectors, so it is never stored in files.
struct PackedMatrix {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

// Floats that a packed matrix takes, 64-byte aligned.
constexpr std::size_t packed_floats(std::size_t rows, std::size_t columns) {
  constexpr std::size_t kWidestVector = 16;
  return rows * ((columns + kWidestVector - 1) / kWidestVector * kWidestVector);
}
PackedMatrix pack_matrix(std::size_t rows, std::size_t columns, const Matrix& matrix,
                         float* memory);

// Where a product goes, and what becomes of its sums on the way.
struct ProductTarget {
  float* data;  // (m, n)
  std::size_t stride;
  bool accumulate = false;      // added to what is there
  const float* bias = nullptr;  // (n), added to every row
  bool through_gelu = false;    // after that
  float* slope = nullptr;       // where not null: gelu' of each element, with the rows of data
};

// C (m, n) = A (m, k) B (k, n).
void matrix_product(std::size_t m, std::size_t n, std::size_t k, const Matrix& a, const Matrix& b,
                    const ProductTarget& to);
// The same with B packed before.
void matrix_product(std::size_t m, const Matrix& a, const PackedMatrix& b, const ProductTarget& to);

}  // namespace pulsecast::kernels
