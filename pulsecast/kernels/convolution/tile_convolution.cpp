#include "pulsecast/kernels/convolution/tile_convolution.h"

#include <algorithm>

#include "pulsecast/kernels/convolution/image_transform.h"
#include "pulsecast/kernels/pointwise/rearrange.h"
#include "pulsecast/kernels/products/matrix_product.h"
#include "pulsecast/kernels/products/shared_sums.h"

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

constexpr Turn kImage = {-1.0, 0};
Turn kernel_turn(const Axis& axis) { return {1.0, -static_cast<std::ptrdiff_t>(axis.pad)}; }

// A part takes some tens of microseconds at least.
constexpr std::size_t kGrainOperations = 1u << 20;

// Spectra of x, kernel and y, and room for a transform.
struct Memory {
  Memory(const ConvolutionShape& s, const ImageTransform& transform, const Team& team,
         float* memory) {
    const auto take = [&](std::size_t floats) {
      float* piece = memory;
      memory += whole_lines(floats);
      return piece;
    };
    x = take(transform.spectrum_floats(s.samples * s.in));
    kernel = take(transform.spectrum_floats(s.out * s.in));
    y = take(transform.spectrum_floats(s.samples * s.out));
    turned = take(team.workers() * turned_floats(s));
    weight = take(s.out * s.window());
    transforming = memory;
  }
  static std::size_t turned_floats(const ConvolutionShape& s) {
    return whole_lines(2 * s.samples * std::max(s.in, s.out));
  }
  static std::size_t floats(const ConvolutionShape& s, const ImageTransform& transform,
                            const Team& team) {
    const std::size_t transforming =
        std::max({transform.scratch_floats(s.samples * s.in, s.height, s.width),
                  transform.scratch_floats(s.out * s.in, s.kernel_height, s.kernel_width),
                  transform.scratch_floats(s.samples * s.out, s.out_height(), s.out_width())});
    return whole_lines(transform.spectrum_floats(s.samples * s.in)) +
           whole_lines(transform.spectrum_floats(s.out * s.in)) +
           whole_lines(transform.spectrum_floats(s.samples * s.out)) +
           whole_lines(team.workers() * turned_floats(s)) + whole_lines(s.out * s.window()) +
           transforming;
  }

  float* x;
  float* kernel;
  float* y;
  float* turned;  // one spectrum of a frequency a worker, times i or -i
  float* weight;  // with channels exchanged
  float* transforming;
};

ImageTransform transform_of(const ConvolutionShape& s, const Team& team) {
  return {rows_of(s).size(), columns_of(s).size(), team};
}

// body(frequency, memory of its own for a turned spectrum) for each.
template <typename Body>
void for_frequencies(const ConvolutionShape& s, const ImageTransform& transform,
                     const Memory& memory, const Team& team, Body body) {
  const std::size_t operations = 8 * s.samples * s.in * s.out;
  team.split(transform.frequencies(), kGrainOperations / operations + 1,
             [&](const Team::Part& part) {
               float* turned = memory.turned + part.worker * Memory::turned_floats(s);
               for (std::size_t f = part.first; f < part.first + part.count; ++f) body(f, turned);
             });
}

// (real, imaginary), each `count` floats, times i: (-imaginary, real); or times -i.
void times_i(std::size_t count, float sign, const float* from, float* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = -sign * from[count + k];
  for (std::size_t k = 0; k < count; ++k) to[count + k] = sign * from[k];
}

void transform_kernels(const ConvolutionShape& s, const ImageTransform& transform,
                       const float* weight, const Memory& memory) {
  transform.forward(s.out * s.in, s.kernel_height, s.kernel_width, kernel_turn(rows_of(s)),
                    kernel_turn(columns_of(s)), weight, memory.kernel, memory.transforming);
}

// weight (out, in, kernel) -> (in, out, kernel)
void exchange_channels(const ConvolutionShape& s, const float* weight, float* exchanged) {
  const std::size_t kernel = s.kernel_height * s.kernel_width;
  for (std::size_t i = 0; i < s.in; ++i) {
    copy_blocks(s.out, kernel, s.in * kernel, weight + i * kernel, kernel, false,
                exchanged + i * s.out * kernel);
  }
}

}  // namespace

std::size_t tile_convolution_cost(const ConvolutionShape& s) {
  // A float of a spectrum is written and read with others far away, which takes as long as some
  // tens of products.
  constexpr std::size_t kMove = 40;
  const ImageTransform transform = transform_of(s, {});
  return transform.products(s.samples * s.in, s.height, s.width) +
         transform.products(s.out * s.in, s.kernel_height, s.kernel_width) +
         transform.products(s.samples * s.out, s.out_height(), s.out_width()) +
         transform.frequencies() * 4 * s.samples * s.in * s.out +
         kMove * (transform.spectrum_floats(s.samples * s.in) +
                  transform.spectrum_floats(s.samples * s.out) +
                  transform.spectrum_floats(s.out * s.in));
}

std::size_t tile_convolution_scratch_floats(const ConvolutionShape& s, const Team& team) {
  return Memory::floats(s, transform_of(s, team), team);
}

void tile_convolution(const ConvolutionShape& s, const float* x, const float* weight,
                      const float* bias, float* y, float* scratch, const Team& team) {
  const ImageTransform transform = transform_of(s, team);
  const Memory memory(s, transform, team, scratch);
  transform.forward(s.samples * s.in, s.height, s.width, kImage, kImage, x, memory.x,
                    memory.transforming);
  exchange_channels(s, weight, memory.weight);
  transform_kernels(s, transform, memory.weight, memory);
  const std::size_t n = s.samples;
  const std::size_t results = n * s.out;
  // x (real + i imaginary of the kernel).
  for_frequencies(s, transform, memory, team, [&](std::size_t f, float* turned) {
    const float* own = memory.x + f * 2 * n * s.in;
    const float* kernel = memory.kernel + f * 2 * s.in * s.out;
    float* to = memory.y + f * 2 * results;
    times_i(n * s.in, 1.0f, own, turned);
    matrix_product(2 * n, s.out, s.in, {own, s.in}, {kernel, s.out}, {.data = to, .stride = s.out});
    matrix_product(2 * n, s.out, s.in, {turned, s.in}, {kernel + s.in * s.out, s.out},
                   {.data = to, .stride = s.out, .accumulate = true});
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

void tile_convolution_backward(const ConvolutionShape& s, const float* x, const float* weight,
                               const float* grad_y, const ConvolutionGradients& gradients,
                               float* scratch, const Team& team) {
  const ImageTransform transform = transform_of(s, team);
  const Memory memory(s, transform, team, scratch);
  const std::size_t n = s.samples;
  transform.forward(n * s.out, s.out_height(), s.out_width(), kImage, kImage, grad_y, memory.y,
                    memory.transforming);
  if (gradients.weight.data != nullptr) {
    transform.forward(n * s.in, s.height, s.width, kImage, kImage, x, memory.x,
                      memory.transforming);
    // conj(grad y) x, over the samples.
    for_frequencies(s, transform, memory, team, [&](std::size_t f, float* turned) {
      const float* gy = memory.y + f * 2 * n * s.out;
      const float* own = memory.x + f * 2 * n * s.in;
      float* to = memory.kernel + f * 2 * s.out * s.in;
      times_i(n * s.in, -1.0f, own, turned);
      matrix_product(s.out, s.in, 2 * n, {gy, s.out, true}, {own, s.in},
                     {.data = to, .stride = s.in});
      matrix_product(s.out, s.in, 2 * n, {gy, s.out, true}, {turned, s.in},
                     {.data = to + s.out * s.in, .stride = s.in});
    });
    transform.backward(s.out * s.in, s.kernel_height, s.kernel_width, kernel_turn(rows_of(s)).first,
                       kernel_turn(columns_of(s)).first, memory.kernel, gradients.weight.accumulate,
                       gradients.weight.data, memory.transforming);
  }
  if (gradients.x.data != nullptr) {
    transform_kernels(s, transform, weight, memory);
    const std::size_t inputs = n * s.in;
    // grad y (real - i imaginary of the kernel).
    for_frequencies(s, transform, memory, team, [&](std::size_t f, float* turned) {
      const float* gy = memory.y + f * 2 * n * s.out;
      const float* kernel = memory.kernel + f * 2 * s.out * s.in;
      float* to = memory.x + f * 2 * inputs;
      times_i(n * s.out, -1.0f, gy, turned);
      matrix_product(2 * n, s.in, s.out, {gy, s.out}, {kernel, s.in}, {.data = to, .stride = s.in});
      matrix_product(2 * n, s.in, s.out, {turned, s.out}, {kernel + s.out * s.in, s.in},
                     {.data = to, .stride = s.in, .accumulate = true});
    });
    transform.backward(inputs, s.height, s.width, 0, 0, memory.x, gradients.x.accumulate,
                       gradients.x.data, memory.transforming);
  }
}

}  // namespace pulsecast::kernels
