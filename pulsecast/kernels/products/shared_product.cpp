#include "pulsecast/kernels/products/shared_product.h"

#include <algorithm>

#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// A part takes some 15 microseconds at least, five times what it costs to hand it out.
constexpr std::size_t kGrainOperations = 2u << 20;
// Narrower pieces of a result leave too little to do with what is read. Also a whole number of
// panels for all vectors that we know.
constexpr std::size_t kNarrowest = 32;
// A result of so few floats is summed from parts of a long inner dimension instead.
constexpr std::size_t kSmallResult = 16384;
constexpr std::size_t kShortestInner = 512;

enum class CutAlong { kRows, kColumns, kInner };

struct Cut {
  CutAlong along;
  std::size_t parts;
};

// Columns before rows: a part then packs its own piece of B and no other's.
Cut cut_of(const Team& team, std::size_t m, std::size_t n, std::size_t k, bool may_cut_inner) {
  const std::size_t parts = team.parts(2 * m * n * k, kGrainOperations);
  if (may_cut_inner && m * n <= kSmallResult && k >= 8 * (m + n) && k >= 2 * kShortestInner) {
    return {CutAlong::kInner, std::min(parts, k / kShortestInner)};
  }
  if (4 * n >= m && n >= 2 * kNarrowest) {
    return {CutAlong::kColumns, std::min(parts, n / kNarrowest)};
  }
  return {CutAlong::kRows, std::clamp<std::size_t>(m / kNarrowest, 1, parts)};
}

// From a row or a column on.
Matrix from(const Matrix& matrix, std::size_t row, std::size_t column) {
  const std::size_t at =
      matrix.is_transposed ? column * matrix.stride + row : row * matrix.stride + column;
  return {matrix.data + at, matrix.stride, matrix.is_transposed};
}
ProductTarget from(const ProductTarget& to, std::size_t row, std::size_t column) {
  const std::size_t at = row * to.stride + column;
  ProductTarget part = to;
  part.data += at;
  if (to.bias != nullptr) part.bias += column;
  if (to.slope != nullptr) part.slope += at;
  return part;
}

// body(first column, columns) of each part, cut where panels begin.
template <typename Body>
void for_columns(const Team& team, std::size_t parts, std::size_t n, Body body) {
  const std::size_t strips = (n + kNarrowest - 1) / kNarrowest;
  team.run(parts, strips, [&](const Team::Part& part) {
    const std::size_t first = part.first * kNarrowest;
    body(first, std::min(n, first + part.count * kNarrowest) - first);
  });
}

}  // namespace

std::size_t shared_product_scratch_floats(const Team& team, std::size_t m, std::size_t n,
                                          std::size_t k) {
  const Cut cut = cut_of(team, m, n, k, true);
  return cut.along == CutAlong::kInner && cut.parts > 1 ? cut.parts * m * n : 0;
}

void shared_product(const Team& team, std::size_t m, std::size_t n, std::size_t k, const Matrix& a,
                    const Matrix& b, Gradient c, float* scratch) {
  const ProductTarget to{.data = c.data, .stride = n, .accumulate = c.accumulate};
  const Cut cut = cut_of(team, m, n, k, true);
  if (cut.parts == 1) return matrix_product(m, n, k, a, b, to);
  switch (cut.along) {
    case CutAlong::kRows:
      return team.run(cut.parts, m, [&](const Team::Part& part) {
        matrix_product(part.count, n, k, from(a, part.first, 0), b, from(to, part.first, 0));
      });
    case CutAlong::kColumns:
      return for_columns(team, cut.parts, n, [&](std::size_t first, std::size_t columns) {
        matrix_product(m, columns, k, a, from(b, 0, first), from(to, 0, first));
      });
    case CutAlong::kInner:
      break;
  }
  team.run(cut.parts, k, [&](const Team::Part& part) {
    matrix_product(m, n, part.count, from(a, 0, part.first), from(b, part.first, 0),
                   {.data = scratch + part.index * m * n, .stride = n});
  });
  add_partial_sums(cut.parts, m * n, scratch, c);
}

void shared_product(const Team& team, std::size_t m, const Matrix& a, const PackedMatrix& b,
                    const ProductTarget& to) {
  const Cut cut = cut_of(team, m, b.columns, b.rows, false);
  if (cut.parts == 1) return matrix_product(m, a, b, to);
  if (cut.along == CutAlong::kRows) {
    return team.run(cut.parts, m, [&](const Team::Part& part) {
      matrix_product(part.count, from(a, part.first, 0), b, from(to, part.first, 0));
    });
  }
  for_columns(team, cut.parts, b.columns, [&](std::size_t first, std::size_t columns) {
    matrix_product(m, a, {b.data + first * b.rows, b.rows, columns}, from(to, 0, first));
  });
}

}  // namespace pulsecast::kernels
