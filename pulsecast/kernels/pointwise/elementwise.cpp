#include "pulsecast/kernels/pointwise/elementwise.h"

#include <bit>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/elementwise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

using D = FloatTag;
using V = FloatVector;

void Scale(std::size_t count, float alpha, const float* x, bool accumulate, float* y) {
  const V factor = hn::Set(D(), alpha);
  if (accumulate) {
    for_vectors(count, [&](std::size_t i, auto lanes) {
      lanes.store(hn::MulAdd(factor, lanes.load(x + i), lanes.load(y + i)), y + i);
    });
  } else {
    for_vectors(count, [&](std::size_t i, auto lanes) {
      lanes.store(hn::Mul(factor, lanes.load(x + i)), y + i);
    });
  }
}

void Multiply(std::size_t count, const float* a, const float* b, bool accumulate, float* y) {
  if (accumulate) {
    for_vectors(count, [&](std::size_t i, auto lanes) {
      lanes.store(hn::MulAdd(lanes.load(a + i), lanes.load(b + i), lanes.load(y + i)), y + i);
    });
  } else {
    for_vectors(count, [&](std::size_t i, auto lanes) {
      lanes.store(hn::Mul(lanes.load(a + i), lanes.load(b + i)), y + i);
    });
  }
}

void Combine(std::size_t count, float alpha, const float* a, float beta, const float* b,
             bool accumulate, float* y) {
  const V va = hn::Set(D(), alpha);
  const V vb = hn::Set(D(), beta);
  for_vectors(count, [&](std::size_t i, auto lanes) {
    const V sum = hn::MulAdd(va, lanes.load(a + i), hn::Mul(vb, lanes.load(b + i)));
    lanes.store(accumulate ? hn::Add(sum, lanes.load(y + i)) : sum, y + i);
  });
}

void AddEight(std::size_t count, const std::array<const float*, 8>& x, float* y) {
  for_vectors(count, [&](std::size_t i, auto lanes) {
    const auto pair = [&](std::size_t a) {
      return hn::Add(lanes.load(x[a] + i), lanes.load(x[a + 1] + i));
    };
    lanes.store(hn::Add(hn::Add(pair(0), pair(2)), hn::Add(pair(4), pair(6))), y + i);
  });
}

void AddInOrder(std::size_t count, std::span<const float* const> x, float* y) {
  for_vectors(count, [&](std::size_t i, auto lanes) {
    V sum = lanes.load(x[0] + i);
    for (std::size_t k = 1; k < x.size(); ++k) sum = hn::Add(sum, lanes.load(x[k] + i));
    lanes.store(sum, y + i);
  });
}

void AddBias(std::size_t rows, std::size_t columns, const float* bias, const float* x, float* y) {
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = x + row * columns;
    float* to = y + row * columns;
    for_vectors(columns, [&](std::size_t i, auto lanes) {
      lanes.store(hn::Add(lanes.load(from + i), lanes.load(bias + i)), to + i);
    });
  }
}

// Runs down the rows with `kVectors` sums in registers; value(row, i, load) yields what is summed.
template <std::size_t kVectors, class Value>
HWY_INLINE void sum_down(std::size_t rows, std::size_t column, bool accumulate, float* sums,
                         Value value) {
  const D d;
  const std::size_t L = hn::Lanes(d);
  V total[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    total[v] = accumulate ? hn::LoadU(d, sums + column + v * L) : hn::Zero(d);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      total[v] = hn::Add(total[v], value(row, column + v * L));
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(total[v], d, sums + column + v * L);
}

// value(row, column) gives a vector, scalar(row, column) one number; both may store as they go.
template <class Value, class Scalar>
HWY_INLINE void sum_columns(std::size_t rows, std::size_t columns, bool accumulate, float* sums,
                            Value value, Scalar scalar) {
  const std::size_t L = hn::Lanes(D());
  std::size_t j = 0;
  for (; j + 8 * L <= columns; j += 8 * L) sum_down<8>(rows, j, accumulate, sums, value);
  for (; j + L <= columns; j += L) sum_down<1>(rows, j, accumulate, sums, value);
  for (; j < columns; ++j) {
    float total = accumulate ? sums[j] : 0.0f;
    for (std::size_t row = 0; row < rows; ++row) total += scalar(row, j);
    sums[j] = total;
  }
}

void ColumnSums(std::size_t rows, std::size_t columns, const float* x, bool accumulate,
                float* sums) {
  sum_columns(
      rows, columns, accumulate, sums,
      [&](std::size_t row, std::size_t j) { return hn::LoadU(D(), x + row * columns + j); },
      [&](std::size_t row, std::size_t j) { return x[row * columns + j]; });
}

void MultiplyAndColumnSums(std::size_t rows, std::size_t columns, const float* a, const float* b,
                           float* product, bool accumulate, float* sums) {
  sum_columns(
      rows, columns, accumulate, sums,
      [&](std::size_t row, std::size_t j) {
        const std::size_t i = row * columns + j;
        const V value = hn::Mul(hn::LoadU(D(), a + i), hn::LoadU(D(), b + i));
        hn::StoreU(value, D(), product + i);
        return value;
      },
      [&](std::size_t row, std::size_t j) {
        const std::size_t i = row * columns + j;
        return product[i] = a[i] * b[i];
      });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Scale);
HWY_EXPORT(Multiply);
HWY_EXPORT(Combine);
HWY_EXPORT(AddEight);
HWY_EXPORT(AddInOrder);
HWY_EXPORT(AddBias);
HWY_EXPORT(ColumnSums);
HWY_EXPORT(MultiplyAndColumnSums);

void scale(std::size_t count, float alpha, const float* x, bool accumulate, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(Scale)(count, alpha, x, accumulate, y);
}

void multiply(std::size_t count, const float* a, const float* b, bool accumulate, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(Multiply)(count, a, b, accumulate, y);
}

void combine(std::size_t count, float alpha, const float* a, float beta, const float* b,
             bool accumulate, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(Combine)(count, alpha, a, beta, b, accumulate, y);
}

void add_eight(std::size_t count, const std::array<const float*, 8>& x, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(AddEight)(count, x, y);
}

void add_in_order(std::size_t count, std::span<const float* const> x, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(AddInOrder)(count, x, y);
}

void add_bias(std::size_t rows, std::size_t columns, const float* bias, const float* x, float* y) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(AddBias)(rows, columns, bias, x, y);
}

void column_sums(std::size_t rows, std::size_t columns, const float* x, bool accumulate,
                 float* sums) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(ColumnSums)(rows, columns, x, accumulate, sums);
}

void multiply_and_column_sums(std::size_t rows, std::size_t columns, const float* a, const float* b,
                              float* product, bool accumulate, float* sums) {
  const profile::Scope scope("elementwise");
  HWY_DYNAMIC_DISPATCH(MultiplyAndColumnSums)(rows, columns, a, b, product, accumulate, sums);
}

bool all_finite(std::size_t count, const float* x) {
  // Integers, so that the compiler may take many at once: an exponent of ones is no finite number.
  constexpr std::uint32_t kExponent = 0x7f800000u;
  std::uint32_t others = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x[i]);
    others |= static_cast<std::uint32_t>((bits & kExponent) == kExponent);
  }
  return others == 0;
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
