#include "pulsecast/kernels/pointwise/rearrange.h"

#include <algorithm>
#include <cstring>

#include "pulsecast/base/profile.h"

namespace pulsecast::kernels {
namespace {

// Squares of this size keep both sides of a transposition in the first-level cache.
constexpr std::size_t kTile = 32;
// Squares of this size are turned in registers.
constexpr std::size_t kBlock = 4;

using Four __attribute__((vector_size(16))) = float;

Four load(const float* from) {
  Four value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <bool kAccumulate>
void store(Four value, float* to) {
  if constexpr (kAccumulate) value += load(to);
  std::memcpy(to, &value, sizeof(value));
}

// A matrix of which rows are `stride` floats apart.
template <typename T>
struct Strided {
  T* data;
  std::size_t stride;
};
using From = Strided<const float>;
using To = Strided<float>;

template <bool kAccumulate>
void transpose_block(const float* x, std::size_t columns, float* y, std::size_t rows) {
  const Four a = load(x);
  const Four b = load(x + columns);
  const Four c = load(x + 2 * columns);
  const Four d = load(x + 3 * columns);
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Four cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store<kAccumulate>(__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5), y);
  store<kAccumulate>(__builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7), y + rows);
  store<kAccumulate>(__builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5), y + 2 * rows);
  store<kAccumulate>(__builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7), y + 3 * rows);
}

// Elements (i, j) with i in [i0, i1) and j in [j0, j1), one by one.
template <bool kAccumulate>
void transpose_rest(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1, From x, To y) {
  for (std::size_t j = j0; j < j1; ++j) {
    for (std::size_t i = i0; i < i1; ++i) {
      if constexpr (kAccumulate) {
        y.data[j * y.stride + i] += x.data[i * x.stride + j];
      } else {
        y.data[j * y.stride + i] = x.data[i * x.stride + j];
      }
    }
  }
}

template <bool kAccumulate>
void transpose_one(std::size_t rows, std::size_t columns, From x, To y) {
  for (std::size_t i0 = 0; i0 < rows; i0 += kTile) {
    const std::size_t i1 = std::min(rows, i0 + kTile);
    const std::size_t i_blocks = i0 + (i1 - i0) / kBlock * kBlock;
    for (std::size_t j0 = 0; j0 < columns; j0 += kTile) {
      const std::size_t j1 = std::min(columns, j0 + kTile);
      const std::size_t j_blocks = j0 + (j1 - j0) / kBlock * kBlock;
      for (std::size_t j = j0; j < j_blocks; j += kBlock) {
        for (std::size_t i = i0; i < i_blocks; i += kBlock) {
          transpose_block<kAccumulate>(x.data + i * x.stride + j, x.stride,
                                       y.data + j * y.stride + i, y.stride);
        }
      }
      transpose_rest<kAccumulate>(i_blocks, i1, j0, j1, x, y);
      transpose_rest<kAccumulate>(i0, i_blocks, j_blocks, j1, x, y);
    }
  }
}

// One of a batch after the other, which begin so many floats apart.
void transpose_each(std::size_t batch, std::size_t rows, std::size_t columns, From x,
                    std::size_t x_step, bool accumulate, To y, std::size_t y_step) {
  const profile::Scope scope("rearrange");
  for (std::size_t b = 0; b < batch; ++b, x.data += x_step, y.data += y_step) {
    if (accumulate) {
      transpose_one<true>(rows, columns, x, y);
    } else {
      transpose_one<false>(rows, columns, x, y);
    }
  }
}

std::size_t patches_of(std::size_t length, std::size_t patch) {
  return (length + patch - 1) / patch;
}

// Whole patches are a transposition of each row; what follows is for the others.

// body(position in a patch, patch, index into the row) for every position, padding included.
template <typename Body>
void for_patch_positions(std::size_t length, std::size_t patch, PadSide side, Body body) {
  const std::size_t patches = patches_of(length, patch);
  const std::size_t pad = side == PadSide::kLeft ? patches * patch - length : 0;
  for (std::size_t p = 0; p < patch; ++p) {
    for (std::size_t n = 0; n < patches; ++n) {
      const std::size_t padded = n * patch + p;
      const std::size_t t = padded < pad ? 0 : std::min(padded - pad, length - 1);
      body(p, n, t);
    }
  }
}

}  // namespace

void transpose(std::size_t batch, std::size_t rows, std::size_t columns, const float* x,
               bool accumulate, float* y) {
  transpose_each(batch, rows, columns, {x, columns}, rows * columns, accumulate, {y, rows},
                 rows * columns);
}

void to_tokens(std::size_t rows, std::size_t length, std::size_t patch, PadSide side,
               std::size_t width, const float* x, float* y) {
  const std::size_t patches = patches_of(length, patch);
  const std::size_t out = patch * width;
  if (length % patch == 0) {
    transpose_each(rows, patches, patch, {x, patch}, length, false, {y, width}, out);
  } else {
    const profile::Scope scope("rearrange");
    for (std::size_t row = 0; row < rows; ++row) {
      for_patch_positions(length, patch, side, [&](std::size_t p, std::size_t n, std::size_t t) {
        y[row * out + p * width + n] = x[row * length + t];
      });
    }
  }
  if (width == patches) return;
  const profile::Scope scope("rearrange");
  for (std::size_t i = 0; i < rows * patch; ++i) {
    float* behind = y + i * width + patches;
    std::fill_n(behind, width - patches, 0.0f);
    *behind = 1.0f;
  }
}

void to_tokens_adjoint(std::size_t rows, std::size_t length, std::size_t patch, PadSide side,
                       std::size_t width, const float* grad_y, bool accumulate, float* grad_x) {
  const std::size_t out = patch * width;
  if (length % patch == 0) {
    return transpose_each(rows, patch, length / patch, {grad_y, width}, out, accumulate,
                          {grad_x, patch}, length);
  }
  const profile::Scope scope("rearrange");
  if (!accumulate) std::fill_n(grad_x, rows * length, 0.0f);
  for (std::size_t row = 0; row < rows; ++row) {
    for_patch_positions(length, patch, side, [&](std::size_t p, std::size_t n, std::size_t t) {
      grad_x[row * length + t] += grad_y[row * out + p * width + n];
    });
  }
}

void from_patches(std::size_t rows, std::size_t length, std::size_t patch, const float* x,
                  float* y) {
  if (length % patch == 0) return transpose(rows, patch, length / patch, x, false, y);
  const profile::Scope scope("rearrange");
  const std::size_t patches = patches_of(length, patch);
  for (std::size_t row = 0; row < rows; ++row, x += patches * patch, y += length) {
    for (std::size_t t = 0; t < length; ++t) y[t] = x[t % patch * patches + t / patch];
  }
}

void from_patches_adjoint(std::size_t rows, std::size_t length, std::size_t patch,
                          const float* grad_y, bool accumulate, float* grad_x) {
  if (length % patch == 0) {
    return transpose(rows, length / patch, patch, grad_y, accumulate, grad_x);
  }
  const profile::Scope scope("rearrange");
  const std::size_t patches = patches_of(length, patch);
  if (!accumulate) std::fill_n(grad_x, rows * patches * patch, 0.0f);
  for (std::size_t row = 0; row < rows; ++row, grad_x += patches * patch, grad_y += length) {
    for (std::size_t t = 0; t < length; ++t) grad_x[t % patch * patches + t / patch] += grad_y[t];
  }
}

std::size_t strided_patches(std::size_t length, std::size_t patch, std::size_t stride) {
  return length < patch ? 1 : (length - patch) / stride + 2;
}

namespace {

// body(index into the patches of a row, index into the row)
template <typename Body>
void for_strided_positions(std::size_t length, std::size_t patch, std::size_t stride, Body body) {
  const std::size_t patches = strided_patches(length, patch, stride);
  for (std::size_t n = 0; n < patches; ++n) {
    for (std::size_t p = 0; p < patch; ++p) {
      body(n * patch + p, std::min(n * stride + p, length - 1));
    }
  }
}

}  // namespace

void to_strided_patches(std::size_t rows, std::size_t length, std::size_t patch, std::size_t stride,
                        const float* x, float* y) {
  const std::size_t out = strided_patches(length, patch, stride) * patch;
  for (std::size_t row = 0; row < rows; ++row, x += length, y += out) {
    for_strided_positions(length, patch, stride,
                          [&](std::size_t i, std::size_t t) { y[i] = x[t]; });
  }
}

void to_strided_patches_adjoint(std::size_t rows, std::size_t length, std::size_t patch,
                                std::size_t stride, const float* grad_y, bool accumulate,
                                float* grad_x) {
  if (!accumulate) std::fill_n(grad_x, rows * length, 0.0f);
  const std::size_t out = strided_patches(length, patch, stride) * patch;
  for (std::size_t row = 0; row < rows; ++row, grad_x += length, grad_y += out) {
    for_strided_positions(length, patch, stride,
                          [&](std::size_t i, std::size_t t) { grad_x[t] += grad_y[i]; });
  }
}

void copy_blocks(std::size_t blocks, std::size_t count, std::size_t from_stride, const float* x,
                 std::size_t to_stride, bool accumulate, float* y) {
  for (std::size_t block = 0; block < blocks; ++block, x += from_stride, y += to_stride) {
    if (accumulate) {
      for (std::size_t i = 0; i < count; ++i) y[i] += x[i];
    } else {
      std::memcpy(y, x, count * sizeof(float));
    }
  }
}

void gather_rows(std::size_t count, std::size_t width, const std::uint32_t* indices,
                 const float* table, float* y) {
  const profile::Scope scope("rearrange");
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(y + i * width, table + indices[i] * width, width * sizeof(float));
  }
}

void scatter_add_rows(std::size_t count, std::size_t width, const std::uint32_t* indices,
                      const float* grad_y, float* grad_table) {
  const profile::Scope scope("rearrange");
  for (std::size_t i = 0; i < count; ++i) {
    float* to = grad_table + indices[i] * width;
    const float* from = grad_y + i * width;
    for (std::size_t j = 0; j < width; ++j) to[j] += from[j];
  }
}

void gather_columns(std::size_t samples, std::size_t steps, std::size_t width,
                    const std::uint32_t* indices, const float* table, const float* const* bases,
                    float* y) {
  const profile::Scope scope("rearrange");
  for (std::size_t sample = 0; sample < samples; ++sample, indices += steps) {
    for (std::size_t c = 0; c < width; ++c, y += steps) {
      const float* column = table + c;
      if (bases == nullptr) {
        for (std::size_t t = 0; t < steps; ++t) y[t] = column[indices[t] * width];
      } else {
        const float* base = bases[sample] + c * steps;
        for (std::size_t t = 0; t < steps; ++t) y[t] = column[indices[t] * width] + base[t];
      }
    }
  }
}

void scatter_add_columns(std::size_t samples, std::size_t steps, std::size_t width,
                         const std::uint32_t* indices, const float* grad_y, float* grad_table) {
  const profile::Scope scope("rearrange");
  for (std::size_t sample = 0; sample < samples; ++sample, indices += steps) {
    for (std::size_t c = 0; c < width; ++c, grad_y += steps) {
      for (std::size_t t = 0; t < steps; ++t) grad_table[indices[t] * width + c] += grad_y[t];
    }
  }
}

}  // namespace pulsecast::kernels
