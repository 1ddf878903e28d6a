#include "pulsecast/kernels/shared_gemm.h"

#include <algorithm>

#include "pulsecast/kernels/elementwise.h"
#include "pulsecast/kernels/rearrange.h"

namespace pulsecast::kernels {
namespace {

// A part takes some 30 microseconds at least, ten times what it costs to hand it out.
constexpr std::size_t kGrainOperations = 2u << 20;
// Narrower pieces of a result leave too little to do with what is read.
constexpr std::size_t kNarrowest = 32;
// A result of so few floats is summed from parts of a long inner dimension instead.
constexpr std::size_t kSmallResult = 16384;
constexpr std::size_t kShortestInner = 512;
// Laying out an operand pays when each of its values is used this often.
constexpr std::size_t kOftenUsed = 32;
// Rows of a matrix this many floats apart meet in the same lines of the cache.
constexpr std::size_t kAlias = 256;
constexpr std::size_t kPadding = 16;

enum class CutAlong { kRows, kColumns, kInner };

struct Cut {
  CutAlong along;
  std::size_t parts;
};

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

// A matrix as the BLAS takes it.
struct Operand {
  Op op;
  const float* data;
  std::size_t stride;
};

// Columns [first, first + count) of `rows` rows, laid out in `memory` where that pays.
Operand columns_of(std::size_t rows, const float* data, std::size_t stride, std::size_t first,
                   std::size_t count, std::size_t uses, float* memory) {
  if (uses < kOftenUsed || stride % kAlias != 0) return {Op::kNormal, data + first, stride};
  const std::size_t own = count + kPadding;
  copy_blocks(rows, count, stride, data + first, own, false, memory);
  return {Op::kNormal, memory, own};
}

// Columns [first, first + count) of op(B) (k, n), each of whose values is used `uses` times.
Operand columns_of_b(Op op, std::size_t n, std::size_t k, const float* b, std::size_t first,
                     std::size_t count, std::size_t uses, float* memory) {
  if (op == Op::kNormal) return columns_of(k, b, n, first, count, uses, memory);
  if (uses < kOftenUsed) return {Op::kTransposed, b + first * k, k};
  transpose(1, count, k, b + first * k, false, memory);
  return {Op::kNormal, memory, count};
}

// Rows [first, first + count) of op(A) (m, k).
Operand rows_of_a(Op op, std::size_t m, std::size_t k, const float* a, std::size_t first,
                  std::size_t count, std::size_t uses, float* memory) {
  if (op == Op::kNormal) return {op, a + first * k, k};
  Operand rows = columns_of(k, a, m, first, count, uses, memory);
  rows.op = Op::kTransposed;
  return rows;
}

std::size_t laid_out_floats(std::size_t rows, std::size_t columns) {
  return rows * (columns + kPadding);
}

}  // namespace

std::size_t shared_gemm_scratch_floats(const Team& team, std::size_t m, std::size_t n,
                                       std::size_t k) {
  const Cut cut = cut_of(team, m, n, k);
  switch (cut.along) {
    case CutAlong::kRows:
      return team.workers() *
             (laid_out_floats(k, Team::largest(m, cut.parts)) + laid_out_floats(k, n));
    case CutAlong::kColumns:
      return team.workers() * laid_out_floats(k, Team::largest(n, cut.parts));
    case CutAlong::kInner:
      break;
  }
  return cut.parts * m * n;
}

void shared_gemm(const Team& team, Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k,
                 const float* a, const float* b, bool accumulate, float* c, float* scratch) {
  if (m == 0 || n == 0) return;
  const float beta = accumulate ? 1.0f : 0.0f;
  const Cut cut = cut_of(team, m, n, k);
  const std::size_t stride_a = op_a == Op::kNormal ? k : m;
  const std::size_t stride_b = op_b == Op::kNormal ? n : k;
  switch (cut.along) {
    case CutAlong::kRows:
      team.run(cut.parts, m, [&](const Team::Part& part) {
        const std::size_t largest = laid_out_floats(k, Team::largest(m, cut.parts));
        float* memory = scratch + part.worker * (largest + laid_out_floats(k, n));
        const Operand rows = rows_of_a(op_a, m, k, a, part.first, part.count, n, memory);
        const Operand all = columns_of_b(op_b, n, k, b, 0, n, part.count, memory + largest);
        gemm(rows.op, all.op, part.count, n, k, 1.0f, rows.data, rows.stride, all.data, all.stride,
             beta, c + part.first * n, n);
      });
      return;
    case CutAlong::kColumns:
      team.run(cut.parts, n, [&](const Team::Part& part) {
        float* memory = scratch + part.worker * laid_out_floats(k, Team::largest(n, cut.parts));
        const Operand own = columns_of_b(op_b, n, k, b, part.first, part.count, m, memory);
        gemm(op_a, own.op, m, part.count, k, 1.0f, a, stride_a, own.data, own.stride, beta,
             c + part.first, n);
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
  column_sums(cut.parts, m * n, scratch, accumulate, c);
}

}  // namespace pulsecast::kernels
