#include "pulsecast/kernels/products/shared_sums.h"

#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::kernels {

void add_partial_sums(std::size_t parts, std::size_t columns, const float* partial, Gradient sums) {
  column_sums(parts, columns, partial, sums.accumulate, sums.data);
}

void shared_column_sums(const Team& team, std::size_t rows, std::size_t columns, const float* x,
                        Gradient sums, float* scratch) {
  shared_sums(team, rows, columns, sums, scratch, [&](const Team::Part& part, Gradient to) {
    column_sums(part.count, columns, x + part.first * columns, to.accumulate, to.data);
  });
}

}  // namespace pulsecast::kernels
