#include "pulsecast/kernels/convolution/image_transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pulsecast/kernels/convolution/convolution.h"
#include "pulsecast/kernels/pointwise/rearrange.h"
#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::kernels {
namespace {

// What is between some images and their spectrum stays in the second-level cache.
constexpr std::size_t kBetweenFloats = 96 * 1024;
// Images that share a cache line of each frequency are done together.
constexpr std::size_t kLine = 16;
// A part takes some tens of microseconds at least.
constexpr std::size_t kGrainProducts = 1u << 19;

// cos and sin of 2 pi f j / size for the product f * j, by a table that is made once.
class Angles {
 public:
  Angles(std::size_t size, float* memory) : size_(size), cosines_(memory), sines_(memory + size) {
    for (std::size_t i = 0; i < size; ++i) {
      const double angle =
          2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
      cosines_[i] = static_cast<float>(std::cos(angle));
      sines_[i] = static_cast<float>(std::sin(angle));
    }
  }
  static std::size_t floats(std::size_t size) { return whole_lines(2 * size); }

  std::size_t place(std::size_t frequency, std::size_t index, std::ptrdiff_t first) const {
    const auto size = static_cast<std::ptrdiff_t>(size_);
    const std::ptrdiff_t step = (static_cast<std::ptrdiff_t>(index) + first) % size;
    return frequency * static_cast<std::size_t>(step < 0 ? step + size : step) % size_;
  }
  float cosine(std::size_t place) const { return cosines_[place]; }
  float sine(std::size_t place) const { return sines_[place]; }

 private:
  std::size_t size_;
  float* cosines_;
  float* sines_;
};

}  // namespace

ImageTransform::Parts ImageTransform::cut(std::size_t height, std::size_t width,
                                          float* memory) const {
  const auto take = [&](std::size_t floats) {
    float* piece = memory;
    memory += whole_lines(floats);
    return piece;
  };
  Parts parts{};
  parts.column_angles = take(2 * column_size_);
  parts.row_angles = take(2 * row_size_);
  parts.columns = take(width * 2 * bins_);
  parts.rows = take(height * 2 * row_bins_);
  parts.between = memory;
  return parts;
}

std::size_t ImageTransform::between_floats(std::size_t images, std::size_t height,
                                           std::size_t width) const {
  return whole_lines(images * height * width) + whole_lines(images * height * 2 * bins_) +
         whole_lines(images * row_bins_ * 4 * bins_);
}

std::size_t ImageTransform::at_once(std::size_t count, std::size_t height,
                                    std::size_t width) const {
  const std::size_t line = between_floats(kLine, height, width);
  return std::min(count, std::max<std::size_t>(kBetweenFloats / line, 1) * kLine);
}

std::size_t ImageTransform::scratch_floats(std::size_t count, std::size_t height,
                                           std::size_t width) const {
  return Angles::floats(row_size_) + Angles::floats(column_size_) + whole_lines(width * 2 * bins_) +
         whole_lines(height * 2 * row_bins_) +
         team_.workers() * between_floats(at_once(count, height, width), height, width);
}

// body(some images) until all are done.
template <typename Body>
void ImageTransform::for_images(std::size_t count, std::size_t height, std::size_t width,
                                const Parts& parts, Body body) const {
  const std::size_t most = at_once(count, height, width);
  const std::size_t lines = (count + kLine - 1) / kLine;
  const std::size_t grain = kGrainProducts / products(kLine, height, width) + 1;
  team_.split(lines, grain, [&](const Team::Part& part) {
    float* turned = parts.between + part.worker * between_floats(most, height, width);
    float* between = turned + whole_lines(most * height * width);
    const std::size_t end = std::min(count, (part.first + part.count) * kLine);
    for (std::size_t first = part.first * kLine; first < end; first += most) {
      body(Some{first, std::min(most, end - first), turned, between,
                between + whole_lines(most * height * 2 * bins_)});
    }
  });
}

void ImageTransform::forward(std::size_t count, std::size_t height, std::size_t width,
                             Turn row_turn, Turn column_turn, const float* images, float* spectrum,
                             float* scratch) const {
  const Parts parts = cut(height, width, scratch);
  const Angles column_angles(column_size_, parts.column_angles);
  const Angles row_angles(row_size_, parts.row_angles);
  for (std::size_t f = 0; f < bins_; ++f) {
    for (std::size_t j = 0; j < width; ++j) {
      const std::size_t place = column_angles.place(f, j, column_turn.first);
      parts.columns[f * width + j] = column_angles.cosine(place);
      parts.columns[(bins_ + f) * width + j] =
          static_cast<float>(column_turn.sign) * column_angles.sine(place);
    }
  }
  // Cosines of all bins, then sines, which turn the real part into minus the imaginary.
  for (std::size_t f = 0; f < row_bins_; ++f) {
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t place = row_angles.place(f, i, row_turn.first);
      parts.rows[f * height + i] = row_angles.cosine(place);
      parts.rows[(row_bins_ + f) * height + i] =
          static_cast<float>(-row_turn.sign) * row_angles.sine(place);
    }
  }
  for_images(count, height, width, parts, [&](const Some& some) {
    const std::size_t n = some.count;
    transpose(1, n, height * width, images + some.first * height * width, false, some.turned);
    for (std::size_t i = 0; i < height; ++i) {
      matrix_product(2 * bins_, n, width, {parts.columns, width}, {some.turned + i * width * n, n},
                     {.data = some.lines + i * 2 * bins_ * n, .stride = n});
    }
    matrix_product(2 * row_bins_, 2 * bins_ * n, height, {parts.rows, height},
                   {some.lines, 2 * bins_ * n}, {.data = some.planes, .stride = 2 * bins_ * n});
    for (std::size_t f = 0; f < row_bins_; ++f) {
      for (std::size_t b = 0; b < bins_; ++b) {
        const float* cosines = some.planes + (f * 2 * bins_ + b) * n;
        const float* sines = cosines + row_bins_ * 2 * bins_ * n;
        const auto write = [&](std::size_t frequency, float sign) {
          float* real = spectrum + (frequency * bins_ + b) * 2 * count + some.first;
          float* imaginary = real + count;
          for (std::size_t k = 0; k < n; ++k) real[k] = cosines[k] + sign * sines[bins_ * n + k];
          for (std::size_t k = 0; k < n; ++k) {
            imaginary[k] = cosines[bins_ * n + k] - sign * sines[k];
          }
        };
        write(f, 1.0f);
        if (has_mirror(f)) write(row_size_ - f, -1.0f);
      }
    }
  });
}

void ImageTransform::backward(std::size_t count, std::size_t height, std::size_t width,
                              std::ptrdiff_t first_row, std::ptrdiff_t first_column,
                              const float* spectrum, bool accumulate, float* images,
                              float* scratch) const {
  const Parts parts = cut(height, width, scratch);
  const Angles column_angles(column_size_, parts.column_angles);
  const Angles row_angles(row_size_, parts.row_angles);
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t f = 0; f < row_bins_; ++f) {
      const std::size_t place = row_angles.place(f, i, first_row);
      parts.rows[i * 2 * row_bins_ + f] = row_angles.cosine(place);
      parts.rows[i * 2 * row_bins_ + row_bins_ + f] = row_angles.sine(place);
    }
  }
  const double share = 1.0 / static_cast<double>(row_size_ * column_size_);
  for (std::size_t b = 0; b < bins_; ++b) {
    const bool is_single = b == 0 || 2 * b == column_size_;
    const auto scale = static_cast<float>(is_single ? share : 2.0 * share);
    for (std::size_t j = 0; j < width; ++j) {
      const std::size_t place = column_angles.place(b, j, first_column);
      parts.columns[j * 2 * bins_ + b] = scale * column_angles.cosine(place);
      parts.columns[j * 2 * bins_ + bins_ + b] = -scale * column_angles.sine(place);
    }
  }
  for_images(count, height, width, parts, [&](const Some& some) {
    const std::size_t n = some.count;
    for (std::size_t f = 0; f < row_bins_; ++f) {
      for (std::size_t b = 0; b < bins_; ++b) {
        const float* real = spectrum + (f * bins_ + b) * 2 * count + some.first;
        const float* imaginary = real + count;
        float* as_is = some.planes + (f * 2 * bins_ + b) * n;
        float* quarter_on = as_is + row_bins_ * 2 * bins_ * n;
        if (!has_mirror(f)) {
          std::copy_n(real, n, as_is);
          std::copy_n(imaginary, n, as_is + bins_ * n);
          for (std::size_t k = 0; k < n; ++k) quarter_on[k] = -imaginary[k];
          std::copy_n(real, n, quarter_on + bins_ * n);
          continue;
        }
        // The cosines of the two are the same, the sines opposite.
        const float* mirror = spectrum + ((row_size_ - f) * bins_ + b) * 2 * count + some.first;
        const float* mirror_imaginary = mirror + count;
        for (std::size_t k = 0; k < n; ++k) {
          as_is[k] = real[k] + mirror[k];
          quarter_on[bins_ * n + k] = real[k] - mirror[k];
        }
        for (std::size_t k = 0; k < n; ++k) {
          as_is[bins_ * n + k] = imaginary[k] + mirror_imaginary[k];
          quarter_on[k] = mirror_imaginary[k] - imaginary[k];
        }
      }
    }
    matrix_product(height, 2 * bins_ * n, 2 * row_bins_, {parts.rows, 2 * row_bins_},
                   {some.planes, 2 * bins_ * n}, {.data = some.lines, .stride = 2 * bins_ * n});
    for (std::size_t i = 0; i < height; ++i) {
      matrix_product(width, n, 2 * bins_, {parts.columns, 2 * bins_},
                     {some.lines + i * 2 * bins_ * n, n},
                     {.data = some.turned + i * width * n, .stride = n});
    }
    transpose(1, height * width, n, some.turned, accumulate, images + some.first * height * width);
  });
}

}  // namespace pulsecast::kernels
