// Products of matrices that fit in the first-level cache, inside another kernel: without packing,
// and without a call. Included once per SIMD target.
//
// A is read element by element (any strides, so transposition is free), B and C by vectors along
// their rows. A tile of C stays in registers over the whole inner dimension.

#if defined(PULSECAST_KERNELS_SMALL_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_SMALL_GEMM_INL_H_
#undef PULSECAST_KERNELS_SMALL_GEMM_INL_H_
#else
#define PULSECAST_KERNELS_SMALL_GEMM_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Element (i, k) at data[i * row + k * column].
struct Strided {
  const float* data;
  std::size_t row;
  std::size_t column;
};
// Rows of contiguous floats, `row` apart.
struct Rows {
  const float* data;
  std::size_t row;
};
struct OutputRows {
  float* data;
  std::size_t row;
};

// What a product starts from: zero, what C holds, or a bias that is the same for every row.
enum class Start { kZero, kAccumulate, kBias };

template <Start kStart, std::size_t kRows, std::size_t kVectors, bool kTail>
HWY_INLINE void small_gemm_tile(std::size_t K, Strided a, Rows b, OutputRows c, const float* bias,
                                std::size_t tail) {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  const D d;
  const std::size_t L = hn::Lanes(d);
  const auto mask = hn::FirstN(d, tail);
  // Only the last vector of a row may reach past its end; it then goes through the mask.
  const auto load = [&](const float* from, std::size_t v) {
    return kTail && v + 1 == kVectors ? hn::MaskedLoad(mask, d, from + v * L)
                                      : hn::LoadU(d, from + v * L);
  };
  V sum[kRows][kVectors];
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      if constexpr (kStart == Start::kZero) sum[i][v] = hn::Zero(d);
      if constexpr (kStart == Start::kAccumulate) sum[i][v] = load(c.data + i * c.row, v);
      if constexpr (kStart == Start::kBias) sum[i][v] = load(bias, v);
    }
  }
  // Moving pointers, not indices: otherwise the addresses of A's rows do not fit in registers.
  const float* left = a.data;
  const float* right = b.data;
  for (std::size_t k = 0; k < K; ++k, left += a.column, right += b.row) {
    V row[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = load(right, v);
    for (std::size_t i = 0; i < kRows; ++i) {
      const V factor = hn::Set(d, left[i * a.row]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(factor, row[v], sum[i][v]);
    }
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      float* to = c.data + i * c.row + v * L;
      if (kTail && v + 1 == kVectors) {
        hn::BlendedStore(sum[i][v], mask, d, to);
      } else {
        hn::StoreU(sum[i][v], d, to);
      }
    }
  }
}

// All rows of one group of columns: tiles of kRows, then what is left.
template <Start kStart, std::size_t kRows, std::size_t kVectors, bool kTail>
HWY_INLINE void small_gemm_columns(std::size_t M, std::size_t K, Strided a, Rows b, OutputRows c,
                                   const float* bias, std::size_t tail) {
  std::size_t i = 0;
  const auto at = [&](std::size_t row) { return Strided{a.data + row * a.row, a.row, a.column}; };
  const auto to = [&](std::size_t row) { return OutputRows{c.data + row * c.row, c.row}; };
  for (; i + kRows <= M; i += kRows) {
    small_gemm_tile<kStart, kRows, kVectors, kTail>(K, at(i), b, to(i), bias, tail);
  }
  // Of six or seven rows: six sums hide more of a multiply-add's latency than four.
  if constexpr (kRows > 6) {
    for (; i + 6 <= M; i += 6) {
      small_gemm_tile<kStart, 6, kVectors, kTail>(K, at(i), b, to(i), bias, tail);
    }
  }
  if constexpr (kRows > 4) {
    for (; i + 4 <= M; i += 4) {
      small_gemm_tile<kStart, 4, kVectors, kTail>(K, at(i), b, to(i), bias, tail);
    }
  }
  if constexpr (kRows > 2) {
    for (; i + 2 <= M; i += 2) {
      small_gemm_tile<kStart, 2, kVectors, kTail>(K, at(i), b, to(i), bias, tail);
    }
  }
  for (; i < M; ++i) small_gemm_tile<kStart, 1, kVectors, kTail>(K, at(i), b, to(i), bias, tail);
}

// C (M, N) = start + A (M, K) B (K, N).
template <Start kStart>
HWY_NOINLINE void small_gemm(std::size_t M, std::size_t N, std::size_t K, Strided a, Rows b,
                             OutputRows c, const float* bias = nullptr) {
  const std::size_t L = hn::Lanes(hn::ScalableTag<float>());
  std::size_t j = 0;
  const auto from = [&] { return Rows{b.data + j, b.row}; };
  const auto to = [&] { return OutputRows{c.data + j, c.row}; };
  const auto with = [&] { return kStart == Start::kBias ? bias + j : nullptr; };
  // Twelve sums at a time: enough to hide the latency of a multiply-add, and three registers stay
  // free for a row of B and a broadcast of A.
  for (; N - j > 3 * L; j += 2 * L) {
    small_gemm_columns<kStart, 6, 2, false>(M, K, a, from(), to(), with(), 0);
  }
  const std::size_t left = N - j;
  const std::size_t tail = left % L;
  switch ((left + L - 1) / L) {
    case 3:
      if (tail == 0) {
        small_gemm_columns<kStart, 4, 3, false>(M, K, a, from(), to(), with(), 0);
      } else {
        small_gemm_columns<kStart, 4, 3, true>(M, K, a, from(), to(), with(), tail);
      }
      break;
    case 2:
      if (tail == 0) {
        small_gemm_columns<kStart, 6, 2, false>(M, K, a, from(), to(), with(), 0);
      } else {
        small_gemm_columns<kStart, 6, 2, true>(M, K, a, from(), to(), with(), tail);
      }
      break;
    case 1:
      if (tail == 0) {
        small_gemm_columns<kStart, 8, 1, false>(M, K, a, from(), to(), with(), 0);
      } else {
        small_gemm_columns<kStart, 8, 1, true>(M, K, a, from(), to(), with(), tail);
      }
      break;
    default:
      break;
  }
}

// The same where whether to add to C is only known at run time.
HWY_INLINE void small_gemm(std::size_t M, std::size_t N, std::size_t K, Strided a, Rows b,
                           OutputRows c, bool accumulate) {
  if (accumulate) {
    small_gemm<Start::kAccumulate>(M, N, K, a, b, c);
  } else {
    small_gemm<Start::kZero>(M, N, K, a, b, c);
  }
}

#if HWY_TARGET != HWY_SCALAR
// Four rows of `from` as four columns of `to`; row(k, at) loads four floats of the k-th.
template <class Row>
HWY_INLINE void transpose_four(std::size_t columns, Rows from, OutputRows to, Row row) {
  const hn::FixedTag<float, 4> d;
  for (std::size_t j = 0; j + 4 <= columns; j += 4) {
    const auto r0 = row(0, from.data + j);
    const auto r1 = row(1, from.data + from.row + j);
    const auto r2 = row(2, from.data + 2 * from.row + j);
    const auto r3 = row(3, from.data + 3 * from.row + j);
    const auto low02 = hn::InterleaveLower(d, r0, r2);
    const auto low13 = hn::InterleaveLower(d, r1, r3);
    const auto high02 = hn::InterleaveUpper(d, r0, r2);
    const auto high13 = hn::InterleaveUpper(d, r1, r3);
    float* target = to.data + j * to.row;
    hn::StoreU(hn::InterleaveLower(d, low02, low13), d, target);
    hn::StoreU(hn::InterleaveUpper(d, low02, low13), d, target + to.row);
    hn::StoreU(hn::InterleaveLower(d, high02, high13), d, target + 2 * to.row);
    hn::StoreU(hn::InterleaveUpper(d, high02, high13), d, target + 3 * to.row);
  }
}
#endif

// to (columns, rows) = from (rows, columns), by blocks of four by four. Columns of `to` past
// `rows`, up to padded_rows, are set to zero.
HWY_INLINE void small_transpose(std::size_t rows, std::size_t columns, Rows from, OutputRows to,
                                std::size_t padded_rows) {
  std::size_t i = 0;          // rows and
  std::size_t in_blocks = 0;  // columns that blocks have done
#if HWY_TARGET != HWY_SCALAR
  const hn::FixedTag<float, 4> d;
  in_blocks = columns / 4 * 4;
  const auto at = [&] { return Rows{from.data + i * from.row, from.row}; };
  const auto into = [&] { return OutputRows{to.data + i, to.row}; };
  for (; i + 4 <= rows; i += 4) {
    transpose_four(columns, at(), into(),
                   [&](std::size_t, const float* four) { return hn::LoadU(d, four); });
  }
  // Zeros for rows that are not there.
  for (; i + 4 <= padded_rows; i += 4) {
    const std::size_t left = rows - std::min(rows, i);
    transpose_four(columns, at(), into(), [&](std::size_t k, const float* four) {
      return k < left ? hn::LoadU(d, four) : hn::Zero(d);
    });
  }
#endif
  const auto put = [&](std::size_t row, std::size_t column) {
    to.data[column * to.row + row] = row < rows ? from.data[row * from.row + column] : 0.0f;
  };
  for (std::size_t row = 0; row < i; ++row) {
    for (std::size_t j = in_blocks; j < columns; ++j) put(row, j);
  }
  for (; i < padded_rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) put(i, j);
  }
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_SMALL_GEMM_INL_H_
