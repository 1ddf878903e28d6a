#include "pulsecast/kernels/rearrange.h"

#include <algorithm>
#include <cstring>

namespace pulsecast::kernels {
namespace {

// Squares of this size keep both sides of a transposition in the first-level cache.
constexpr std::size_t kTile = 32;

template <typename Put>
void transpose_tiles(std::size_t rows, std::size_t columns, const float* x, float* y, Put put) {
  for (std::size_t i0 = 0; i0 < rows; i0 += kTile) {
    const std::size_t i1 = std::min(rows, i0 + kTile);
    for (std::size_t j0 = 0; j0 < columns; j0 += kTile) {
      const std::size_t j1 = std::min(columns, j0 + kTile);
      for (std::size_t j = j0; j < j1; ++j) {
        for (std::size_t i = i0; i < i1; ++i) put(y[j * rows + i], x[i * columns + j]);
      }
    }
  }
}

std::size_t patches_of(std::size_t length, std::size_t patch) {
  return (length + patch - 1) / patch;
}

// body(index into the patches of a row, index into the row) for every position, padding included.
template <typename Body>
void for_patch_positions(std::size_t length, std::size_t patch, PadSide side, Body body) {
  const std::size_t patches = patches_of(length, patch);
  const std::size_t pad = side == PadSide::kLeft ? patches * patch - length : 0;
  for (std::size_t p = 0; p < patch; ++p) {
    for (std::size_t n = 0; n < patches; ++n) {
      const std::size_t padded = n * patch + p;
      const std::size_t t = padded < pad ? 0 : std::min(padded - pad, length - 1);
      body(p * patches + n, t);
    }
  }
}

}  // namespace

void transpose(std::size_t batch, std::size_t rows, std::size_t columns, const float* x,
               bool accumulate, float* y) {
  for (std::size_t b = 0; b < batch; ++b, x += rows * columns, y += rows * columns) {
    if (accumulate) {
      transpose_tiles(rows, columns, x, y, [](float& to, float from) { to += from; });
    } else {
      transpose_tiles(rows, columns, x, y, [](float& to, float from) { to = from; });
    }
  }
}

void to_patches(std::size_t rows, std::size_t length, std::size_t patch, PadSide side,
                const float* x, float* y) {
  const std::size_t out = patches_of(length, patch) * patch;
  for (std::size_t row = 0; row < rows; ++row, x += length, y += out) {
    for_patch_positions(length, patch, side, [&](std::size_t i, std::size_t t) { y[i] = x[t]; });
  }
}

void to_patches_adjoint(std::size_t rows, std::size_t length, std::size_t patch, PadSide side,
                        const float* grad_y, bool accumulate, float* grad_x) {
  if (!accumulate) std::fill_n(grad_x, rows * length, 0.0f);
  const std::size_t out = patches_of(length, patch) * patch;
  for (std::size_t row = 0; row < rows; ++row, grad_x += length, grad_y += out) {
    for_patch_positions(length, patch, side,
                        [&](std::size_t i, std::size_t t) { grad_x[t] += grad_y[i]; });
  }
}

void from_patches(std::size_t rows, std::size_t length, std::size_t patch, const float* x,
                  float* y) {
  const std::size_t patches = patches_of(length, patch);
  for (std::size_t row = 0; row < rows; ++row, x += patches * patch, y += length) {
    for (std::size_t t = 0; t < length; ++t) y[t] = x[t % patch * patches + t / patch];
  }
}

void from_patches_adjoint(std::size_t rows, std::size_t length, std::size_t patch,
                          const float* grad_y, bool accumulate, float* grad_x) {
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
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(y + i * width, table + indices[i] * width, width * sizeof(float));
  }
}

void scatter_add_rows(std::size_t count, std::size_t width, const std::uint32_t* indices,
                      const float* grad_y, float* grad_table) {
  for (std::size_t i = 0; i < count; ++i) {
    float* to = grad_table + indices[i] * width;
    const float* from = grad_y + i * width;
    for (std::size_t j = 0; j < width; ++j) to[j] += from[j];
  }
}

void gather_columns(std::size_t samples, std::size_t steps, std::size_t width,
                    const std::uint32_t* indices, const float* table, float* y) {
  for (std::size_t sample = 0; sample < samples; ++sample, indices += steps) {
    for (std::size_t c = 0; c < width; ++c, y += steps) {
      for (std::size_t t = 0; t < steps; ++t) y[t] = table[indices[t] * width + c];
    }
  }
}

void scatter_add_columns(std::size_t samples, std::size_t steps, std::size_t width,
                         const std::uint32_t* indices, const float* grad_y, float* grad_table) {
  for (std::size_t sample = 0; sample < samples; ++sample, indices += steps) {
    for (std::size_t c = 0; c < width; ++c, grad_y += steps) {
      for (std::size_t t = 0; t < steps; ++t) grad_table[indices[t] * width + c] += grad_y[t];
    }
  }
}

}  // namespace pulsecast::kernels
