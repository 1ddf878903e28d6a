#include "pulsecast/kernels/products/shared_gemm.h"

#include <algorithm>

#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// A part takes some 30 microseconds at least, ten times what it costs to hand it out.
constexpr std::size_t kGrainOperations = 2u << 20;
// Narrower pieces of a result leave too little to do with what is read.
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
Cut cut_of(const Team& team, std::size_t m, std::size_t n, std::size_t k) {
  const std::size_t parts = team.parts(2 * m * n * k, kGrainOperations);
  if (m * n <= kSmallResult && k >= 8 * (m + n) && k >= 2 * kShortestInner) {
    return {CutAlong::kInner, std::min(parts, k / kShortestInner)};
  }
  if (4 * n >= m && n >= 2 * kNarrowest) {
    return {CutAlong::kColumns, std::min(parts, n / kNarrowest)};
  }
  return {CutAlong::kRows, std::clamp<std::size_t>(m / kNarrowest, 1, parts)};
}

}  // namespace

std::size_t shared_gemm_scratch_floats(const Team& team, std::size_t m, std::size_t n,
                                       std::size_t k) {
  const Cut cut = cut_of(team, m, n, k);
  return cut.along == CutAlong::kInner && cut.parts > 1 ? cut.parts * m * n : 0;
}

void shared_gemm(const Team& team, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k,
                 const float* a, const float* b, bool accumulate, float* c, float* scratch) {
  const float beta = accumulate ? 1.0f : 0.0f;
  const std::size_t stride_a = op_a == Op::kNormal ? k : m;
  const std::size_t stride_b = op_b == Op::kNormal ? n : k;
  const Cut cut = cut_of(team, m, n, k);
  if (cut.parts == 1) {
    gemm(op_a, op_b, m, n, k, 1.0f, a, stride_a, b, stride_b, beta, c, n);
    return;
  }
  switch (cut.along) {
    case CutAlong::kRows:
      team.run(cut.parts, m, [&](const Team::Part& part) {
        gemm(op_a, op_b, part.count, n, k, 1.0f, a + part.first * (op_a == Op::kNormal ? k : 1),
             stride_a, b, stride_b, beta, c + part.first * n, n);
      });
      return;
    case CutAlong::kColumns:
      team.run(cut.parts, n, [&](const Team::Part& part) {
        gemm(op_a, op_b, m, part.count, k, 1.0f, a, stride_a,
             b + part.first * (op_b == Op::kNormal ? 1 : k), stride_b, beta, c + part.first, n);
      });
      return;
    case CutAlong::kInner:
      break;
  }
  team.run(cut.parts, k, [&](const Team::Part& part) {
    gemm(op_a, op_b, m, n, part.count, 1.0f, a + part.first * (op_a == Op::kNormal ? 1 : m),
         stride_a, b + part.first * (op_b == Op::kNormal ? n : 1), stride_b, 0.0f,
         scratch + part.index * m * n, n);
  });
  add_partial_sums(cut.parts, m * n, scratch, {c, accumulate});
}

}  // namespace pulsecast::kernels
