// Many small problems of one shape at once, one in each lane of a vector: where a row's matrices
// are too small to fill vectors, sixteen rows side by side do, and nothing ever adds across lanes.
// Included once per SIMD target.
//
// A number of a row lies beside the same number of the other rows. So every row is computed by the
// same operations in the same order however many lanes there are: its bits do not depend on them.

#if defined(PULSECAST_KERNELS_ROW_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_ROW_LANES_INL_H_
#undef PULSECAST_KERNELS_ROW_LANES_INL_H_
#else
#define PULSECAST_KERNELS_ROW_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows are summed over as if there were always so many lanes: row r of a call adds to sum r % 16.
inline constexpr std::size_t kRowSums = 16;

using LaneTag = hn::CappedTag<float, kRowSums>;
using LaneVector = hn::Vec<LaneTag>;

// Rows that are done together.
HWY_INLINE std::size_t row_lanes() { return hn::Lanes(LaneTag()); }

#if HWY_TARGET != HWY_SCALAR
// load(row) of rows k, k + 4, k + 8 ... as the blocks of four lanes of one vector.
template <class Load>
HWY_INLINE LaneVector join_blocks(std::size_t k, Load load) {
  constexpr std::size_t L = hn::MaxLanes(LaneTag());
  if constexpr (L == 4) {
    return load(k);
  } else {
    const hn::FixedTag<float, 8> d8;
    const auto low = hn::Combine(d8, load(k + 4), load(k));
    if constexpr (L == 8) {
      return low;
    } else {
      return hn::Combine(LaneTag(), hn::Combine(d8, load(k + 12), load(k + 8)), low);
    }
  }
}

// store(block, row): the other way round.
template <class V, class Store>
HWY_INLINE void part_blocks(V value, std::size_t k, Store store) {
  constexpr std::size_t L = hn::MaxLanes(LaneTag());
  const hn::FixedTag<float, 4> d4;
  const auto halves = [&](auto eight, std::size_t first) {
    store(hn::LowerHalf(d4, eight), first);
    store(hn::UpperHalf(d4, eight), first + 4);
  };
  if constexpr (L == 4) {
    store(value, k);
  } else if constexpr (L == 8) {
    halves(value, k);
  } else {
    const hn::FixedTag<float, 8> d8;
    halves(hn::LowerHalf(d8, value), k);
    halves(hn::UpperHalf(d8, value), k + 8);
  }
}

// Inside each block of four lanes: rows to columns, which is its own inverse.
HWY_INLINE void turn_blocks(LaneVector (&v)[4]) {
  const LaneTag d;
  const auto low02 = hn::InterleaveLower(d, v[0], v[2]);
  const auto low13 = hn::InterleaveLower(d, v[1], v[3]);
  const auto high02 = hn::InterleaveUpper(d, v[0], v[2]);
  const auto high13 = hn::InterleaveUpper(d, v[1], v[3]);
  v[0] = hn::InterleaveLower(d, low02, low13);
  v[1] = hn::InterleaveUpper(d, low02, low13);
  v[2] = hn::InterleaveLower(d, high02, high13);
  v[3] = hn::InterleaveUpper(d, high02, high13);
}
#endif

// to[c][lane] = from[lane][c] for c below `columns`, rows of `from` `columns` apart; lanes from
// `rows` on are zero.
HWY_INLINE void to_lanes(std::size_t rows, std::size_t columns, const float* from, float* to) {
  const std::size_t L = row_lanes();
  std::size_t c = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::FixedTag<float, 4> d4;
  for (; c + 4 <= columns; c += 4) {
    LaneVector v[4];
    for (std::size_t k = 0; k < 4; ++k) {
      v[k] = join_blocks(k, [&](std::size_t row) {
        return row < rows ? hn::LoadU(d4, from + row * columns + c) : hn::Zero(d4);
      });
    }
    turn_blocks(v);
    for (std::size_t k = 0; k < 4; ++k) hn::Store(v[k], LaneTag(), to + (c + k) * L);
  }
#endif
  for (; c < columns; ++c) {
    for (std::size_t row = 0; row < L; ++row) {
      to[c * L + row] = row < rows ? from[row * columns + c] : 0.0f;
    }
  }
}

// The other way round, written or added to what is there; lanes from `rows` on are left away.
HWY_INLINE void from_lanes(std::size_t rows, std::size_t columns, const float* from,
                           bool accumulate, float* to) {
  const std::size_t L = row_lanes();
  std::size_t c = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::FixedTag<float, 4> d4;
  for (; c + 4 <= columns; c += 4) {
    LaneVector v[4];
    for (std::size_t k = 0; k < 4; ++k) v[k] = hn::Load(LaneTag(), from + (c + k) * L);
    turn_blocks(v);
    for (std::size_t k = 0; k < 4; ++k) {
      part_blocks(v[k], k, [&](auto four, std::size_t row) {
        if (row >= rows) return;
        float* at = to + row * columns + c;
        hn::StoreU(accumulate ? hn::Add(hn::LoadU(d4, at), four) : four, d4, at);
      });
    }
  }
#endif
  for (; c < columns; ++c) {
    for (std::size_t row = 0; row < rows; ++row) {
      float& at = to[row * columns + c];
      at = accumulate ? at + from[c * L + row] : from[c * L + row];
    }
  }
}

// A matrix of every row: element (i, k) at data + i * row + k * column, a number a lane.
struct LaneMatrix {
  const float* data;
  std::size_t row;
  std::size_t column;
  HWY_INLINE LaneVector at(std::size_t i, std::size_t k) const {
    return hn::Load(LaneTag(), data + i * row + k * column);
  }
  LaneMatrix transposed() const { return {data, column, row}; }
};
// A matrix that all rows share: element (i, k) is one number.
struct SharedMatrix {
  const float* data;
  std::size_t row;
  std::size_t column;
  HWY_INLINE LaneVector at(std::size_t i, std::size_t k) const {
    return hn::Set(LaneTag(), data[i * row + k * column]);
  }
  SharedMatrix transposed() const { return {data, column, row}; }
};
// Where a product goes: element (i, j) at data + i * row + j * column.
struct LaneOutput {
  float* data;
  std::size_t row;
  std::size_t column;
};

template <std::size_t kRows, std::size_t kColumns, class B>
HWY_INLINE void lane_tile(std::size_t K, std::size_t i, std::size_t j, const LaneMatrix& a,
                          const B& b, bool accumulate, const LaneOutput& c) {
  const LaneTag d;
  LaneVector sum[kRows][kColumns];
  const auto at = [&](std::size_t m, std::size_t n) {
    return c.data + (i + m) * c.row + (j + n) * c.column;
  };
  for (std::size_t m = 0; m < kRows; ++m) {
    for (std::size_t n = 0; n < kColumns; ++n) {
      sum[m][n] = accumulate ? hn::Load(d, at(m, n)) : hn::Zero(d);
    }
  }
  for (std::size_t k = 0; k < K; ++k) {
    LaneVector right[kColumns];
    for (std::size_t n = 0; n < kColumns; ++n) right[n] = b.at(k, j + n);
    for (std::size_t m = 0; m < kRows; ++m) {
      const LaneVector left = a.at(i + m, k);
      for (std::size_t n = 0; n < kColumns; ++n) {
        sum[m][n] = hn::MulAdd(left, right[n], sum[m][n]);
      }
    }
  }
  for (std::size_t m = 0; m < kRows; ++m) {
    for (std::size_t n = 0; n < kColumns; ++n) hn::Store(sum[m][n], d, at(m, n));
  }
}

// All rows of some columns.
template <std::size_t kColumns, class B>
HWY_INLINE void lane_columns(std::size_t M, std::size_t K, std::size_t j, const LaneMatrix& a,
                             const B& b, bool accumulate, const LaneOutput& c) {
  // Sums, a row of B and a number of A fit in the registers.
  constexpr std::size_t kRows = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON ? 4 : 2;
  std::size_t i = 0;
  for (; i + kRows <= M; i += kRows) lane_tile<kRows, kColumns>(K, i, j, a, b, accumulate, c);
  for (; i < M; ++i) lane_tile<1, kColumns>(K, i, j, a, b, accumulate, c);
}

// C (M, N) = A (M, K) B (K, N) in every lane, or added to C.
template <class B>
HWY_NOINLINE void lane_product(std::size_t M, std::size_t N, std::size_t K, LaneMatrix a, B b,
                               bool accumulate, LaneOutput c) {
  std::size_t j = 0;
  for (; j + 4 <= N; j += 4) lane_columns<4>(M, K, j, a, b, accumulate, c);
  switch (N - j) {
    case 3:
      return lane_columns<3>(M, K, j, a, b, accumulate, c);
    case 2:
      return lane_columns<2>(M, K, j, a, b, accumulate, c);
    case 1:
      return lane_columns<1>(M, K, j, a, b, accumulate, c);
    default:
      return;
  }
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_ROW_LANES_INL_H_
