#include "pulsecast/kernels/products/gemm.h"

#include <blis.h>

#include "pulsecast/base/profile.h"

namespace pulsecast::kernels {
namespace {

// Whether B is copied into the order in which the inner loop reads it. It is what makes op(B) as
// fast transposed as it is plain, and rows of a power of two of floats (which otherwise meet in a
// few sets of the cache) as fast as any others; but it pays only if enough rows of A use the copy.
bool packs_b(Op op_b, std::size_t m) { return m >= (op_b == Op::kTransposed ? 24 : 96); }

// A matrix as it is stored, read as op() of it.
struct Steps {
  inc_t row;
  inc_t column;
};
Steps steps(Op op, std::size_t stride) {
  const auto long_way = static_cast<inc_t>(stride);
  return op == Op::kNormal ? Steps{long_way, 1} : Steps{1, long_way};
}

}  // namespace

void gemm(Op op_a, Op op_b, std::size_t m, std::size_t n, std::size_t k, float alpha,
          const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta, float* c,
          std::size_t ldc) {
  const profile::Scope scope("matrix product", 2.0 * static_cast<double>(m * n * k));
  if (m == 0 || n == 0) return;
  rntm_t how;
  bli_rntm_init(&how);
  bli_rntm_set_num_threads_only(1, &how);
  bli_rntm_set_pack_a(false, &how);
  bli_rntm_set_pack_b(packs_b(op_b, m), &how);
  const Steps of_a = steps(op_a, lda);
  const Steps of_b = steps(op_b, ldb);
  // BLIS takes what it only reads without const.
  bli_sgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, static_cast<dim_t>(m), static_cast<dim_t>(n),
               static_cast<dim_t>(k), &alpha, const_cast<float*>(a), of_a.row, of_a.column,
               const_cast<float*>(b), of_b.row, of_b.column, &beta, c, static_cast<inc_t>(ldc), 1,
               nullptr, &how);
}

}  // namespace pulsecast::kernels
