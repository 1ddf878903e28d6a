// A tile of a matrix product: as many sums as fit in the registers. Included once per SIMD target.
//
// Every step of k reads a row of a panel of B by vectors and as many elements of A, which it
// multiplies into all sums. A is read in place: an element is used for a whole row of the tile, so
// it is the sums that hide how far apart A's rows lie.

#if defined(PULSECAST_KERNELS_PRODUCT_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_PRODUCT_TILE_INL_H_
#undef PULSECAST_KERNELS_PRODUCT_TILE_INL_H_
#else
#define PULSECAST_KERNELS_PRODUCT_TILE_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows and vectors of a tile: all registers but those for a row of the panel and an element of A.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3  // 32 registers
inline constexpr std::size_t kTileRows = 14;
inline constexpr std::size_t kTileVectors = 2;
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2  // 16
inline constexpr std::size_t kTileRows = 6;
inline constexpr std::size_t kTileVectors = 2;
#elif HWY_TARGET == HWY_SCALAR
inline constexpr std::size_t kTileRows = 3;
inline constexpr std::size_t kTileVectors = 4;
#else  // 32 short ones: NEON
inline constexpr std::size_t kTileRows = 6;
inline constexpr std::size_t kTileVectors = 4;
#endif

// What a tile has to do.
struct TileWork {
  std::size_t depth;   // of k
  const float* a;      // its first element
  std::size_t a_step;  // floats from one stored row of A to the next
  const float* panel;  // (depth, vectors of the tile)
  std::size_t panel_step;
  float* c;
  std::size_t c_step;
  std::size_t columns;  // that C has here, perhaps fewer than the panel
  bool accumulate;      // onto C
  const float* bias;    // of these columns, or null
};

// kTransposed: A is stored with rows along k, so that a tile reads neighbours.
template <bool kTransposed, std::size_t kVectors, std::size_t kRows>
HWY_NOINLINE void product_tile(const TileWork& work) {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  const D d;
  const std::size_t L = hn::Lanes(d);
  V sum[kRows][kVectors];
  const auto for_sums = [&](auto body) HWY_ATTR {
    HWY_UNROLL(16)
    for (std::size_t i = 0; i < kRows; ++i) {
      HWY_UNROLL(4)
      for (std::size_t v = 0; v < kVectors; ++v) body(i, v);
    }
  };
  for_sums([&](std::size_t i, std::size_t v) HWY_ATTR { sum[i][v] = hn::Zero(d); });

  // Three rows of A to a pointer: what an address can add to it reaches that far.
  constexpr std::size_t kReach = 3;
  constexpr std::size_t kPointers = kTransposed ? 1 : (kRows + kReach - 1) / kReach;
  const std::size_t a_step = work.a_step;
  const float* left[kPointers];
  HWY_UNROLL(8)
  for (std::size_t p = 0; p < kPointers; ++p) left[p] = work.a + p * kReach * a_step;
  const float* right = work.panel;
  HWY_UNROLL(1)
  for (std::size_t k = 0; k < work.depth; ++k) {
    V row[kVectors];
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, right + v * L);
    HWY_UNROLL(16)
    for (std::size_t i = 0; i < kRows; ++i) {
      const V factor =
          hn::Set(d, kTransposed ? left[0][i] : left[i / kReach][(i % kReach) * a_step]);
      HWY_UNROLL(4)
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(factor, row[v], sum[i][v]);
    }
    right += work.panel_step;
    HWY_UNROLL(8)
    for (std::size_t p = 0; p < kPointers; ++p) left[p] += kTransposed ? a_step : 1;
  }

  // Only the last vector of a row may reach past its end.
  const std::size_t rest = work.columns - (kVectors - 1) * L;
  const bool is_whole = rest >= L;
  const auto mask = hn::FirstN(d, rest);
  const auto load = [&](const float* from, std::size_t v) HWY_ATTR {
    return v + 1 < kVectors || is_whole ? hn::LoadU(d, from + v * L)
                                        : hn::MaskedLoad(mask, d, from + v * L);
  };
  if (work.accumulate) {
    for_sums([&](std::size_t i, std::size_t v)
                 HWY_ATTR { sum[i][v] = hn::Add(sum[i][v], load(work.c + i * work.c_step, v)); });
  }
  if (work.bias != nullptr) {
    V bias[kVectors];
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kVectors; ++v) bias[v] = load(work.bias, v);
    for_sums([&](std::size_t i, std::size_t v)
                 HWY_ATTR { sum[i][v] = hn::Add(sum[i][v], bias[v]); });
  }
  for_sums([&](std::size_t i, std::size_t v) HWY_ATTR {
    float* to = work.c + i * work.c_step + v * L;
    if (v + 1 < kVectors || is_whole) {
      hn::StoreU(sum[i][v], d, to);
    } else {
      hn::BlendedStore(sum[i][v], mask, d, to);
    }
  });
}

// The tile of any number of rows and vectors.
using ProductTile = void (*)(const TileWork&);

template <bool kTransposed, std::size_t kVectors, std::size_t... kRows>
constexpr std::array<ProductTile, kTileRows> tiles_by_rows(std::index_sequence<kRows...>) {
  return {product_tile<kTransposed, kVectors, kRows + 1>...};
}
template <bool kTransposed, std::size_t... kVectors>
constexpr std::array<std::array<ProductTile, kTileRows>, kTileVectors> tiles_by_vectors(
    std::index_sequence<kVectors...>) {
  return {tiles_by_rows<kTransposed, kVectors + 1>(std::make_index_sequence<kTileRows>())...};
}

HWY_INLINE ProductTile product_tile_of(bool is_transposed, std::size_t vectors, std::size_t rows) {
  using Vectors = std::make_index_sequence<kTileVectors>;
  static constexpr std::array kTiles{tiles_by_vectors<false>(Vectors()),
                                     tiles_by_vectors<true>(Vectors())};
  return kTiles[is_transposed ? 1 : 0][vectors - 1][rows - 1];
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_PRODUCT_TILE_INL_H_
