#include "pulsecast/kernels/products/matrix_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/products/matrix_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/products/product_tile-inl.h"
#include "pulsecast/kernels/products/small_gemm-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// The columns of B that a panel holds.
struct Panel {
  std::size_t first;
  std::size_t columns;
  std::size_t vectors;
  std::size_t width;  // in floats, with those that fill up the last vector
};

template <class Body>
HWY_INLINE void for_panels(std::size_t columns, Body body) {
  const std::size_t L = hn::Lanes(FloatTag());
  for (std::size_t first = 0; first < columns; first += kTileVectors * L) {
    const std::size_t here = std::min(kTileVectors * L, columns - first);
    const std::size_t vectors = (here + L - 1) / L;
    body(Panel{first, here, vectors, vectors * L});
  }
}

// Rows [first, first + count) of a panel.
HWY_NOINLINE void pack_panel(const Matrix& b, const Panel& panel, std::size_t first,
                             std::size_t count, float* to) {
  if (b.is_transposed) {
    small_transpose(panel.columns, count, Rows{b.data + panel.first * b.stride + first, b.stride},
                    OutputRows{to, panel.width}, panel.width);
    return;
  }
  const FloatTag d;
  const std::size_t L = hn::Lanes(d);
  const std::size_t last = (panel.vectors - 1) * L;
  const auto mask = hn::FirstN(d, panel.columns - last);
  const float* from = b.data + first * b.stride + panel.first;
  for (std::size_t k = 0; k < count; ++k, from += b.stride, to += panel.width) {
    for (std::size_t at = 0; at < last; at += L) hn::Store(hn::LoadU(d, from + at), d, to + at);
    hn::Store(hn::MaskedLoad(mask, d, from + last), d, to + last);
  }
}

void PackMatrix(std::size_t rows, std::size_t columns, const Matrix& matrix, float* memory) {
  for_panels(columns, [&](const Panel& panel) {
    pack_panel(matrix, panel, 0, rows, memory + panel.first * rows);
  });
}

// Over a tile of C that was just written and still lies in the first-level cache.
HWY_NOINLINE void gelu_tile(std::size_t rows, std::size_t columns, std::size_t stride, float* c,
                            float* slope) {
  for (std::size_t row = 0; row < rows; ++row) {
    float* y = c + row * stride;
    if (slope == nullptr) {
      // Without a slope to keep there is no need of the density, and so of its exponential.
      for_vectors(columns, [=](std::size_t i, auto lanes) {
        const FloatVector v = lanes.load(y + i);
        lanes.store(hn::Mul(v, normal_cumulative(FloatTag(), v)), y + i);
      });
      continue;
    }
    float* slopes = slope + row * stride;
    for_vectors(columns, [=](std::size_t i, auto lanes) {
      const FloatVector v = lanes.load(y + i);
      const auto p = normal_distribution(FloatTag(), v);
      lanes.store(hn::Mul(v, p.cumulative), y + i);
      lanes.store(hn::MulAdd(v, p.density, p.cumulative), slopes + i);
    });
  }
}

// Rows of A that are multiplied with one panel after the other: what is read of them stays in the
// second-level cache.
std::size_t chunk_rows(std::size_t k) {
  constexpr std::size_t kChunkFloats = 64 * 1024;
  const std::size_t rows = kChunkFloats / std::clamp<std::size_t>(k, 1, kProductBlock);
  return std::max<std::size_t>(rows / kTileRows, 1) * kTileRows;
}

// Rows of a panel, `step` floats apart.
struct PanelRows {
  const float* data;
  std::size_t step;
};

// get_panel(panel, first, count): rows [first, first + count) of a panel.
template <class GetPanel>
HWY_INLINE void product(std::size_t m, std::size_t n, std::size_t k, const Matrix& a,
                        const ProductTarget& to, GetPanel get_panel) {
  // Rows [begin, end) against rows [first, first + count) of B.
  const auto block = [&](std::size_t begin, std::size_t end, std::size_t first, std::size_t count) {
    const bool is_last = first + count == k;
    for_panels(n, [&](const Panel& panel) {
      const PanelRows rows_of_b = get_panel(panel, first, count);
      TileWork work{.depth = count,
                    .a = nullptr,
                    .a_step = a.stride,
                    .panel = rows_of_b.data,
                    .panel_step = rows_of_b.step,
                    .c = nullptr,
                    .c_step = to.stride,
                    .columns = panel.columns,
                    .accumulate = to.accumulate || first > 0,
                    .bias = is_last && to.bias != nullptr ? to.bias + panel.first : nullptr};
      for (std::size_t row = begin; row < end;) {
        const std::size_t rows = std::min(kTileRows, end - row);
        const std::size_t at = row * to.stride + panel.first;
        work.a = a.data + (a.is_transposed ? first * a.stride + row : row * a.stride + first);
        work.c = to.data + at;
        product_tile_of(a.is_transposed, panel.vectors, rows)(work);
        if (is_last && to.through_gelu) {
          gelu_tile(rows, panel.columns, to.stride, work.c,
                    to.slope == nullptr ? nullptr : to.slope + at);
        }
        row += rows;
      }
    });
  };
  const std::size_t chunk = chunk_rows(k);
  for (std::size_t begin = 0; begin < m; begin += chunk) {
    std::size_t first = 0;
    do {  // once also where there is nothing to sum
      const std::size_t count = std::min(kProductBlock, k - first);
      block(begin, std::min(m, begin + chunk), first, count);
      first += count;
    } while (first < k);
  }
}

// Whether packing a panel takes longer than reading it where it lies: few rows use it, or all of B
// stays in the first-level cache anyway.
bool reads_in_place(std::size_t m, std::size_t n, std::size_t k, const Matrix& b) {
  constexpr std::size_t kSmall = 8192;
  return !b.is_transposed && (m <= 2 * kTileRows || n * k <= kSmall);
}

void Product(std::size_t m, std::size_t n, std::size_t k, const Matrix& a, const Matrix& b,
             const ProductTarget& to) {
  // A panel at a time, which fits in the first-level cache.
  HWY_ALIGN float packed[kProductBlock * kTileVectors * hn::MaxLanes(FloatTag())];
  const bool in_place = reads_in_place(m, n, k, b);
  product(m, n, k, a, to, [&](const Panel& panel, std::size_t first, std::size_t count) {
    if (in_place && panel.columns == panel.width) {
      return PanelRows{b.data + first * b.stride + panel.first, b.stride};
    }
    pack_panel(b, panel, first, count, packed);
    return PanelRows{packed, panel.width};
  });
}

void PackedProduct(std::size_t m, const Matrix& a, const PackedMatrix& b, const ProductTarget& to) {
  product(m, b.columns, b.rows, a, to, [&](const Panel& panel, std::size_t first, std::size_t) {
    return PanelRows{b.data + panel.first * b.rows + first * panel.width, panel.width};
  });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {
namespace {

double operations(std::size_t m, std::size_t n, std::size_t k) {
  return 2.0 * static_cast<double>(m * n * k);
}

}  // namespace

HWY_EXPORT(PackMatrix);
HWY_EXPORT(Product);
HWY_EXPORT(PackedProduct);

PackedMatrix pack_matrix(std::size_t rows, std::size_t columns, const Matrix& matrix,
                         float* memory) {
  const profile::Scope scope("pack weights");
  HWY_DYNAMIC_DISPATCH(PackMatrix)(rows, columns, matrix, memory);
  return {memory, rows, columns};
}

void matrix_product(std::size_t m, std::size_t n, std::size_t k, const Matrix& a, const Matrix& b,
                    const ProductTarget& to) {
  const profile::Scope scope("matrix product", operations(m, n, k));
  HWY_DYNAMIC_DISPATCH(Product)(m, n, k, a, b, to);
}

void matrix_product(std::size_t m, const Matrix& a, const PackedMatrix& b,
                    const ProductTarget& to) {
  const profile::Scope scope("matrix product", operations(m, b.columns, b.rows));
  HWY_DYNAMIC_DISPATCH(PackedProduct)(m, a, b, to);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
