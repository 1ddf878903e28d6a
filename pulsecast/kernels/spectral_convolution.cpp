#include "pulsecast/kernels/spectral_convolution.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pulsecast/kernels/gemm.h"
#include "pulsecast/kernels/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// y[i] = sum over k of x[i + k - pad] w[k], each index within its range, is circular over `size`
// steps without a step coming round: size >= length + pad.
struct Axis {
  std::size_t length;  // of the image
  std::size_t out;
  std::size_t kernel;
  std::size_t pad;

  std::size_t size() const { return length + pad; }
};

Axis rows_of(const ConvolutionShape& s) {
  return {s.height, s.out_height(), s.kernel_height, s.pad_height};
}
Axis columns_of(const ConvolutionShape& s) {
  return {s.width, s.out_width(), s.kernel_width, s.pad_width};
}

// Of real rows only half of the frequencies are needed.
std::size_t half(std::size_t size) { return size / 2 + 1; }

// Which way a transform turns, and where its first element lies.
struct Turn {
  double sign;
  std::ptrdiff_t first;
};
constexpr Turn kImage = {-1.0, 0};
Turn kernel_turn(const Axis& axis) { return {1.0, -static_cast<std::ptrdiff_t>(axis.pad)}; }

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

// What is between an image and its spectrum stays in the second-level cache for this many floats.
constexpr std::size_t kBetweenFloats = 64 * 1024;
// A part takes some tens of microseconds at least.
constexpr std::size_t kGrainOperations = 1u << 20;

// Images (count, height, width) to spectra and back, some images at a time. A spectrum is laid out
// frequency by frequency: (frequencies, 2, count), the real parts of all images and then their
// imaginary ones.
class Transform {
 public:
  Transform(const Axis& rows, const Axis& columns, const Team& team)
      : row_size_(rows.size()),
        column_size_(columns.size()),
        bins_(half(column_size_)),
        team_(team) {}

  std::size_t frequencies() const { return row_size_ * bins_; }
  std::size_t spectrum_floats(std::size_t count) const { return frequencies() * 2 * count; }

  std::size_t scratch_floats(std::size_t count, std::size_t height, std::size_t width) const {
    return Angles::floats(row_size_) + Angles::floats(column_size_) +
           whole_lines(width * 2 * bins_) + whole_lines(height * 2 * row_size_) +
           team_.workers() * between_floats(at_once(count, height), height);
  }

  void forward(std::size_t count, std::size_t height, std::size_t width, Turn row_turn,
               Turn column_turn, const float* images, float* spectrum, float* scratch) const {
    const Parts parts = cut(height, width, scratch);
    const Angles column_angles(column_size_, parts.column_angles);
    const Angles row_angles(row_size_, parts.row_angles);
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t f = 0; f < bins_; ++f) {
        const std::size_t place = column_angles.place(f, j, column_turn.first);
        parts.columns[j * 2 * bins_ + f] = column_angles.cosine(place);
        parts.columns[j * 2 * bins_ + bins_ + f] =
            static_cast<float>(column_turn.sign) * column_angles.sine(place);
      }
    }
    // Cosines of all frequencies, then sines, which turn the real part into minus the imaginary.
    for (std::size_t f = 0; f < row_size_; ++f) {
      for (std::size_t i = 0; i < height; ++i) {
        const std::size_t place = row_angles.place(f, i, row_turn.first);
        parts.rows[f * height + i] = row_angles.cosine(place);
        parts.rows[(row_size_ + f) * height + i] =
            static_cast<float>(-row_turn.sign) * row_angles.sine(place);
      }
    }
    for_images(count, height, width, parts, [&](const Some& some, float* lines, float* planes) {
      const std::size_t line = some.count * 2 * bins_;
      for (std::size_t i = 0; i < height; ++i) {
        gemm(Op::kNormal, Op::kNormal, some.count, 2 * bins_, width, 1.0f,
             images + (some.first * height + i) * width, height * width, parts.columns, 2 * bins_,
             0.0f, lines + i * line, 2 * bins_);
      }
      gemm(Op::kNormal, Op::kNormal, 2 * row_size_, line, height, 1.0f, parts.rows, height, lines,
           line, 0.0f, planes, line);
      for (std::size_t f = 0; f < row_size_; ++f) {
        const float* cosines = planes + f * line;
        const float* sines = planes + (row_size_ + f) * line;
        for (std::size_t b = 0; b < bins_; ++b) {
          float* real = spectrum + (f * bins_ + b) * 2 * count + some.first;
          float* imaginary = real + count;
          for (std::size_t image = 0; image < some.count; ++image) {
            const std::size_t at = image * 2 * bins_ + b;
            real[image] = cosines[at] + sines[at + bins_];
            imaginary[image] = cosines[at + bins_] - sines[at];
          }
        }
      }
    });
  }

  // The first height x width of each image, written or added.
  void backward(std::size_t count, std::size_t height, std::size_t width, std::ptrdiff_t first_row,
                std::ptrdiff_t first_column, const float* spectrum, bool accumulate, float* images,
                float* scratch) const {
    const Parts parts = cut(height, width, scratch);
    const Angles column_angles(column_size_, parts.column_angles);
    const Angles row_angles(row_size_, parts.row_angles);
    for (std::size_t i = 0; i < height; ++i) {
      for (std::size_t f = 0; f < row_size_; ++f) {
        const std::size_t place = row_angles.place(f, i, first_row);
        parts.rows[i * 2 * row_size_ + f] = row_angles.cosine(place);
        parts.rows[i * 2 * row_size_ + row_size_ + f] = row_angles.sine(place);
      }
    }
    const double share = 1.0 / static_cast<double>(row_size_ * column_size_);
    for (std::size_t b = 0; b < bins_; ++b) {
      const bool is_single = b == 0 || 2 * b == column_size_;
      const auto scale = static_cast<float>(is_single ? share : 2.0 * share);
      for (std::size_t j = 0; j < width; ++j) {
        const std::size_t place = column_angles.place(b, j, first_column);
        parts.columns[b * width + j] = scale * column_angles.cosine(place);
        parts.columns[(bins_ + b) * width + j] = -scale * column_angles.sine(place);
      }
    }
    for_images(count, height, width, parts, [&](const Some& some, float* lines, float* planes) {
      const std::size_t line = some.count * 2 * bins_;
      for (std::size_t f = 0; f < row_size_; ++f) {
        float* as_is = planes + f * line;
        float* turned = planes + (row_size_ + f) * line;
        for (std::size_t b = 0; b < bins_; ++b) {
          const float* real = spectrum + (f * bins_ + b) * 2 * count + some.first;
          const float* imaginary = real + count;
          for (std::size_t image = 0; image < some.count; ++image) {
            const std::size_t at = image * 2 * bins_ + b;
            as_is[at] = real[image];
            as_is[at + bins_] = imaginary[image];
            turned[at] = -imaginary[image];
            turned[at + bins_] = real[image];
          }
        }
      }
      gemm(Op::kNormal, Op::kNormal, height, line, 2 * row_size_, 1.0f, parts.rows, 2 * row_size_,
           planes, line, 0.0f, lines, line);
      for (std::size_t i = 0; i < height; ++i) {
        gemm(Op::kNormal, Op::kNormal, some.count, width, 2 * bins_, 1.0f, lines + i * line,
             2 * bins_, parts.columns, width, accumulate ? 1.0f : 0.0f,
             images + (some.first * height + i) * width, height * width);
      }
    });
  }

 private:
  struct Parts {
    float* column_angles;
    float* row_angles;
    float* columns;  // a transform along the columns as a matrix
    float* rows;     // and one along the rows
    float* between;  // what a worker makes of some images
  };
  Parts cut(std::size_t height, std::size_t width, float* memory) const {
    const auto take = [&](std::size_t floats) {
      float* piece = memory;
      memory += whole_lines(floats);
      return piece;
    };
    return {.column_angles = take(2 * column_size_),
            .row_angles = take(2 * row_size_),
            .columns = take(width * 2 * bins_),
            .rows = take(height * 2 * row_size_),
            .between = memory};
  }

  // Lines (height, images, 2 bins), and planes (2 row_size, images, 2 bins).
  std::size_t line_floats(std::size_t images, std::size_t height) const {
    return whole_lines(images * height * 2 * bins_);
  }
  std::size_t between_floats(std::size_t images, std::size_t height) const {
    return line_floats(images, height) + whole_lines(images * row_size_ * 4 * bins_);
  }
  std::size_t at_once(std::size_t count, std::size_t height) const {
    return std::clamp<std::size_t>(kBetweenFloats / between_floats(1, height), 1, count);
  }

  struct Some {
    std::size_t first;
    std::size_t count;
  };
  // body(some images, lines, planes) until all images are done.
  template <typename Body>
  void for_images(std::size_t count, std::size_t height, std::size_t width, const Parts& parts,
                  Body body) const {
    const std::size_t most = at_once(count, height);
    const std::size_t operations = 4 * height * bins_ * (width + 2 * row_size_);
    team_.split(count, kGrainOperations / operations + 1, [&](const Team::Part& part) {
      float* lines = parts.between + part.worker * between_floats(most, height);
      for (std::size_t done = 0; done < part.count; done += most) {
        const std::size_t some = std::min(most, part.count - done);
        body(Some{part.first + done, some}, lines, lines + line_floats(most, height));
      }
    });
  }

  std::size_t row_size_;
  std::size_t column_size_;
  std::size_t bins_;
  Team team_;
};

// Spectra of x, kernel and y, and room for a transform and for the products of one frequency.
struct Memory {
  Memory(const ConvolutionShape& s, const Transform& transform, const Team& team, float* memory) {
    const auto take = [&](std::size_t floats) {
      float* piece = memory;
      memory += whole_lines(floats);
      return piece;
    };
    x = take(transform.spectrum_floats(s.samples * s.in));
    kernel = take(transform.spectrum_floats(s.out * s.in));
    y = take(transform.spectrum_floats(s.samples * s.out));
    product = take(team.workers() * product_floats(s));
    transforming = memory;
  }
  static std::size_t product_floats(const ConvolutionShape& s) {
    return whole_lines(4 * s.samples * std::max(s.in, s.out));
  }
  static std::size_t floats(const ConvolutionShape& s, const Transform& transform,
                            const Team& team) {
    const std::size_t transforming =
        std::max({transform.scratch_floats(s.samples * s.in, s.height, s.width),
                  transform.scratch_floats(s.out * s.in, s.kernel_height, s.kernel_width),
                  transform.scratch_floats(s.samples * s.out, s.out_height(), s.out_width())});
    return whole_lines(transform.spectrum_floats(s.samples * s.in)) +
           whole_lines(transform.spectrum_floats(s.out * s.in)) +
           whole_lines(transform.spectrum_floats(s.samples * s.out)) +
           team.workers() * product_floats(s) + transforming;
  }

  float* x;
  float* kernel;
  float* y;
  float* product;  // one a worker
  float* transforming;
};

Transform transform_of(const ConvolutionShape& s, const Team& team) {
  return {rows_of(s), columns_of(s), team};
}

// body(frequency, memory of its own for a product) for each.
template <typename Body>
void for_frequencies(const ConvolutionShape& s, const Transform& transform, const Memory& memory,
                     const Team& team, Body body) {
  const std::size_t operations = 8 * s.samples * s.in * s.out;
  team.split(transform.frequencies(), kGrainOperations / operations + 1,
             [&](const Team::Part& part) {
               float* product = memory.product + part.worker * Memory::product_floats(s);
               for (std::size_t f = part.first; f < part.first + part.count; ++f) body(f, product);
             });
}

void transform_kernel(const ConvolutionShape& s, const Transform& transform, const float* weight,
                      const Memory& memory) {
  transform.forward(s.out * s.in, s.kernel_height, s.kernel_width, kernel_turn(rows_of(s)),
                    kernel_turn(columns_of(s)), weight, memory.kernel, memory.transforming);
}

// Multiplications of one pass forward.
std::size_t spectral_products(const ConvolutionShape& s) {
  const Transform transform = transform_of(s, {});
  const std::size_t row_size = rows_of(s).size();
  const std::size_t bins = half(columns_of(s).size());
  const auto transformed = [&](std::size_t count, std::size_t height, std::size_t width) {
    return count * height * 2 * bins * (width + 2 * row_size);
  };
  return transformed(s.samples * s.in, s.height, s.width) +
         transformed(s.out * s.in, s.kernel_height, s.kernel_width) +
         transformed(s.samples * s.out, s.out_height(), s.out_width()) +
         transform.frequencies() * 4 * s.samples * s.in * s.out;
}

}  // namespace

bool is_spectral_cheaper(const ConvolutionShape& s) {
  // Measured, in multiplications of large products: those over the spectrum are small and their
  // operands move about; a column of the direct way is laid out row by row, and short rows take
  // longer.
  constexpr std::size_t kSmallProduct = 3;
  const std::size_t column_element = 4 + 240 / s.out_width();
  const std::size_t columns = s.samples * s.positions() * s.window();
  return kSmallProduct * spectral_products(s) < s.products() + column_element * columns;
}

std::size_t spectral_convolution_scratch_floats(const ConvolutionShape& s, const Team& team) {
  return Memory::floats(s, transform_of(s, team), team);
}

void spectral_convolution(const ConvolutionShape& s, const float* x, const float* weight,
                          const float* bias, float* y, float* scratch, const Team& team) {
  const Transform transform = transform_of(s, team);
  const Memory memory(s, transform, team, scratch);
  transform.forward(s.samples * s.in, s.height, s.width, kImage, kImage, x, memory.x,
                    memory.transforming);
  transform_kernel(s, transform, weight, memory);
  const std::size_t n = s.samples;
  const std::size_t results = n * s.out;
  for_frequencies(s, transform, memory, team, [&](std::size_t f, float* product) {
    // All four products of real and imaginary parts at once: (2 samples, 2 out).
    gemm(Op::kNormal, Op::kTransposed, 2 * n, 2 * s.out, s.in, 1.0f, memory.x + f * 2 * n * s.in,
         s.in, memory.kernel + f * 2 * s.out * s.in, s.in, 0.0f, product, 2 * s.out);
    float* real = memory.y + f * 2 * results;
    float* imaginary = real + results;
    for (std::size_t i = 0; i < n; ++i) {
      const float* of_real = product + i * 2 * s.out;
      const float* of_imaginary = product + (n + i) * 2 * s.out;
      for (std::size_t o = 0; o < s.out; ++o) {
        real[i * s.out + o] = of_real[o] - of_imaginary[s.out + o];
        imaginary[i * s.out + o] = of_real[s.out + o] + of_imaginary[o];
      }
    }
  });
  transform.backward(results, s.out_height(), s.out_width(), 0, 0, memory.y, false, y,
                     memory.transforming);
  if (bias == nullptr) return;
  const std::size_t positions = s.positions();
  team.split(results, pass_rows(positions), [&](const Team::Part& part) {
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      for (std::size_t p = 0; p < positions; ++p) y[i * positions + p] += bias[i % s.out];
    }
  });
}

void spectral_convolution_backward(const ConvolutionShape& s, const float* x, const float* weight,
                                   const float* grad_y, const ConvolutionGradients& gradients,
                                   float* scratch, const Team& team) {
  const Transform transform = transform_of(s, team);
  const Memory memory(s, transform, team, scratch);
  const std::size_t n = s.samples;
  transform.forward(n * s.out, s.out_height(), s.out_width(), kImage, kImage, grad_y, memory.y,
                    memory.transforming);
  if (gradients.weight.data != nullptr) {
    transform.forward(n * s.in, s.height, s.width, kImage, kImage, x, memory.x,
                      memory.transforming);
    // conj(grad y) x, over the samples.
    for_frequencies(s, transform, memory, team, [&](std::size_t f, float*) {
      const float* gy = memory.y + f * 2 * n * s.out;
      const float* own = memory.x + f * 2 * n * s.in;
      float* real = memory.kernel + f * 2 * s.out * s.in;
      float* imaginary = real + s.out * s.in;
      gemm(Op::kTransposed, Op::kNormal, s.out, s.in, 2 * n, 1.0f, gy, s.out, own, s.in, 0.0f, real,
           s.in);
      gemm(Op::kTransposed, Op::kNormal, s.out, s.in, n, 1.0f, gy, s.out, own + n * s.in, s.in,
           0.0f, imaginary, s.in);
      gemm(Op::kTransposed, Op::kNormal, s.out, s.in, n, -1.0f, gy + n * s.out, s.out, own, s.in,
           1.0f, imaginary, s.in);
    });
    transform.backward(s.out * s.in, s.kernel_height, s.kernel_width, kernel_turn(rows_of(s)).first,
                       kernel_turn(columns_of(s)).first, memory.kernel, gradients.weight.accumulate,
                       gradients.weight.data, memory.transforming);
  }
  if (gradients.x.data != nullptr) {
    transform_kernel(s, transform, weight, memory);
    const std::size_t inputs = n * s.in;
    // grad y conj(kernel).
    for_frequencies(s, transform, memory, team, [&](std::size_t f, float* product) {
      const float* gy = memory.y + f * 2 * n * s.out;
      const float* kernel = memory.kernel + f * 2 * s.out * s.in;
      float* with_real = product;
      float* with_imaginary = product + 2 * inputs;
      gemm(Op::kNormal, Op::kNormal, 2 * n, s.in, s.out, 1.0f, gy, s.out, kernel, s.in, 0.0f,
           with_real, s.in);
      gemm(Op::kNormal, Op::kNormal, 2 * n, s.in, s.out, 1.0f, gy, s.out, kernel + s.out * s.in,
           s.in, 0.0f, with_imaginary, s.in);
      float* real = memory.x + f * 2 * inputs;
      float* imaginary = real + inputs;
      for (std::size_t i = 0; i < inputs; ++i) {
        real[i] = with_real[i] + with_imaginary[inputs + i];
        imaginary[i] = with_real[inputs + i] - with_imaginary[i];
      }
    });
    transform.backward(inputs, s.height, s.width, 0, 0, memory.x, gradients.x.accumulate,
                       gradients.x.data, memory.transforming);
  }
}

}  // namespace pulsecast::kernels
