#include "pulsecast/autodiff/operations/matmul.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::autodiff {
namespace {

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
      kernels::matrix_product(
          s.m, s.k, s.n, {gi, s.n}, {b.data + i * s.k * s.n, s.n, true},
          {.data = to_a.data + i * s.m * s.k, .stride = s.k, .accumulate = to_a.accumulate});
    }
    if (to_b.data != nullptr) {
      kernels::matrix_product(
          s.k, s.n, s.m, {a.data + i * s.m * s.k, s.k, true}, {gi, s.n},
          {.data = to_b.data + i * s.k * s.n, .stride = s.n, .accumulate = to_b.accumulate});
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
    kernels::matrix_product(s.m, s.n, s.k, {a.data + i * s.m * s.k, s.k},
                            {b.data + i * s.k * s.n, s.n},
                            {.data = y.data + i * s.m * s.n, .stride = s.n});
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
