#include "pulsecast/autodiff/operations/matmul.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/products/gemm.h"

namespace pulsecast::autodiff {
namespace {

using kernels::Op;

struct Sizes {
  std::size_t batch, m, n, k;
};

Sizes checked_sizes(const Tensor& a, const Tensor& b) {
  const std::size_t rank = a.shape.rank();
  const bool fits = (rank == 2 || rank == 3) && b.shape.rank() == rank &&
                    a.shape[rank - 1] == b.shape[rank - 2] &&
                    (rank == 2 || a.shape[0] == b.shape[0]);
  require(fits, "matmul", "a (batch, m, k) and b (batch, k, n), or both without the batch", a, b);
  return {rank == 3 ? a.shape[0] : 1, a.shape[rank - 2], b.shape[rank - 1], a.shape[rank - 1]};
}

void gradients(const Sizes& s, const Tensor& a, const Tensor& b, const float* g,
               kernels::Gradient to_a, kernels::Gradient to_b) {
  for (std::size_t i = 0; i < s.batch; ++i) {
    const float* gi = g + i * s.m * s.n;
    if (to_a.data != nullptr) {
      kernels::gemm(Op::kNormal, Op::kTransposed, s.m, s.k, s.n, 1.0f, gi, s.n,
                    b.data + i * s.k * s.n, s.n, to_a.accumulate ? 1.0f : 0.0f,
                    to_a.data + i * s.m * s.k, s.k);
    }
    if (to_b.data != nullptr) {
      kernels::gemm(Op::kTransposed, Op::kNormal, s.k, s.n, s.m, 1.0f, a.data + i * s.m * s.k, s.k,
                    gi, s.n, to_b.accumulate ? 1.0f : 0.0f, to_b.data + i * s.k * s.n, s.n);
    }
  }
}

}  // namespace

Tensor matmul(Tape& tape, const Tensor& a, const Tensor& b) {
  const Sizes s = checked_sizes(a, b);
  const bool tracked = tape.tracks(a, b);
  const Shape shape = a.shape.rank() == 3 ? Shape{s.batch, s.m, s.n} : Shape{s.m, s.n};
  const Tensor y = tape.result(shape, tracked);
  tape.spend(2 * s.batch * s.m * s.n * s.k);
  for (std::size_t i = 0; i < s.batch; ++i) {
    kernels::gemm(Op::kNormal, Op::kNormal, s.m, s.n, s.k, 1.0f, a.data + i * s.m * s.k, s.k,
                  b.data + i * s.k * s.n, s.n, 0.0f, y.data + i * s.m * s.n, s.n);
  }
  if (tracked) {
    tape.note([&tape, s, a, b, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to_a = tape.outgoing(a);
      gradients(s, a, b, g, to_a, {});
      gradients(s, a, b, g, {}, tape.outgoing(b));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
