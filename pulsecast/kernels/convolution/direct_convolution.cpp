#include "pulsecast/kernels/convolution/direct_convolution.h"

#include <algorithm>
#include <cstring>

#include "pulsecast/kernels/products/matrix_product.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {
namespace {

// Columns of this many floats leave room for the result in a second-level cache of 1 MB.
constexpr std::size_t kColumnFloats = 96 * 1024;

// Samples whose columns are made together.
std::size_t chunk_samples(const ConvolutionShape& s) {
  return std::clamp<std::size_t>(kColumnFloats / (s.window() * s.positions()), 1, s.samples);
}

// The convolution whose input is grad_y and whose output is grad_x.
ConvolutionShape turned(const ConvolutionShape& s) {
  return {.samples = s.samples,
          .in = s.out,
          .out = s.in,
          .height = s.out_height(),
          .width = s.out_width(),
          .kernel_height = s.kernel_height,
          .kernel_width = s.kernel_width,
          .pad_height = s.kernel_height - 1 - s.pad_height,
          .pad_width = s.kernel_width - 1 - s.pad_width};
}

// Columns of a chunk (window, chunk * positions), and its result (out, chunk *
// positions).
struct Scratch {
  Scratch(const ConvolutionShape& s, float* memory)
      : columns(memory),
        wide(memory + whole_lines(s.window() * chunk_samples(s) * s.positions())) {}
  static std::size_t floats(const ConvolutionShape& s) {
    const std::size_t wide_columns = chunk_samples(s) * s.positions();
    return whole_lines(s.window() * wide_columns) + whole_lines(s.out * wide_columns);
  }
  float* columns;
  float* wide;
};

// Where a row of the result, under one kernel column, lies on the image: from `begin` to `end`. The
// rest hangs over an edge.
struct Overlap {
  std::size_t begin;
  std::size_t end;
};

Overlap overlap_of(std::size_t size, std::size_t tap, std::size_t pad, std::size_t out) {
  const std::size_t begin = std::min(out, pad > tap ? pad - tap : 0);
  const std::size_t end = std::min(out, size + pad > tap ? size + pad - tap : 0);
  return {begin, std::max(begin, end)};
}

template <std::size_t kFloats>
void copy_ends(const float* from, std::size_t count, float* to) {
  float head[kFloats], tail[kFloats];
  std::memcpy(head, from, sizeof(head));
  std::memcpy(tail, from + count - kFloats, sizeof(tail));
  std::memcpy(to, head, sizeof(head));
  std::memcpy(to + count - kFloats, tail, sizeof(tail));
}

// Rows are often of a few steps: a call to copy them would take longer than they do, and so would a
// loop. From four floats on, the first and the last few, which may overlap, are one move each.
void copy_floats(const float* from, std::size_t count, float* to) {
  if (count > 16) {
    std::copy_n(from, count, to);
  } else if (count >= 8) {
    copy_ends<8>(from, count, to);
  } else if (count >= 4) {
    copy_ends<4>(from, count, to);
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
  }
}

void copy_row(const float* row, const Overlap& over, std::size_t out_width, float* to) {
  for (std::size_t i = 0; i < over.begin; ++i) to[i] = 0.0f;
  copy_floats(row, over.end - over.begin, to + over.begin);
  for (std::size_t i = over.end; i < out_width; ++i) to[i] = 0.0f;
}

// x (count samples) -> columns (window, count * positions).
void make_columns(const ConvolutionShape& s, const float* x, std::size_t count, float* columns) {
  const std::size_t out_width = s.out_width();
  const std::size_t out_height = s.out_height();
  float* to = columns;
  for (std::size_t channel = 0; channel < s.in; ++channel) {
    for (std::size_t ky = 0; ky < s.kernel_height; ++ky) {
      const Overlap rows = overlap_of(s.height, ky, s.pad_height, out_height);
      for (std::size_t kx = 0; kx < s.kernel_width; ++kx) {
        const Overlap over = overlap_of(s.width, kx, s.pad_width, out_width);
        for (std::size_t sample = 0; sample < count; ++sample) {
          const float* image = x + (sample * s.in + channel) * s.height * s.width;
          const float* row =
              image + (rows.begin + ky - s.pad_height) * s.width + (over.begin + kx - s.pad_width);
          std::fill_n(to, rows.begin * out_width, 0.0f);
          for (std::size_t oy = rows.begin; oy < rows.end; ++oy, row += s.width) {
            copy_row(row, over, out_width, to + oy * out_width);
          }
          std::fill_n(to + rows.end * out_width, (out_height - rows.end) * out_width, 0.0f);
          to += out_height * out_width;
        }
      }
    }
  }
}

// wide (out, count * positions) -> y (count, out, positions), with the bias or onto what is there.
void from_wide(const ConvolutionShape& s, const float* wide, std::size_t count, const float* bias,
               bool accumulate, float* y) {
  const std::size_t positions = s.positions();
  for (std::size_t channel = 0; channel < s.out; ++channel) {
    const float start = bias == nullptr ? 0.0f : bias[channel];
    for (std::size_t sample = 0; sample < count; ++sample) {
      const float* from = wide + (channel * count + sample) * positions;
      float* to = y + (sample * s.out + channel) * positions;
      if (accumulate) {
        for (std::size_t i = 0; i < positions; ++i) to[i] += from[i];
      } else {
        for (std::size_t i = 0; i < positions; ++i) to[i] = from[i] + start;
      }
    }
  }
}

void to_wide(const ConvolutionShape& s, const float* y, std::size_t count, float* wide) {
  const std::size_t positions = s.positions();
  for (std::size_t channel = 0; channel < s.out; ++channel) {
    for (std::size_t sample = 0; sample < count; ++sample) {
      const float* from = y + (sample * s.out + channel) * positions;
      float* to = wide + (channel * count + sample) * positions;
      copy_floats(from, positions, to);
    }
  }
}

// Parts of the samples, of which each takes some tens of microseconds at least.
std::size_t parts_of(const ConvolutionShape& s, const Team& team) {
  constexpr std::size_t kGrainProducts = 1u << 20;
  return std::min(team.parts(s.products(), kGrainProducts), s.samples);
}

// body(chunk, scratch of its own) for each chunk of each part.
struct Chunk {
  std::size_t part;
  bool is_first;      // of its part
  std::size_t first;  // sample
  std::size_t count;
};
template <typename Body>
void for_chunks(const ConvolutionShape& s, const Team& team, float* memory, Body body) {
  const std::size_t chunk = chunk_samples(s);
  team.run(parts_of(s, team), s.samples, [&](const Team::Part& part) {
    const Scratch scratch(s, memory + part.worker * Scratch::floats(s));
    for (std::size_t done = 0; done < part.count; done += chunk) {
      body(Chunk{part.index, done == 0, part.first + done, std::min(chunk, part.count - done)},
           scratch);
    }
  });
}

void convolve(const ConvolutionShape& s, const float* x, const float* weight, const float* bias,
              bool accumulate, float* y, float* memory, const Team& team) {
  for_chunks(s, team, memory, [&](const Chunk& chunk, const Scratch& scratch) {
    const std::size_t columns = chunk.count * s.positions();
    make_columns(s, x + chunk.first * s.in * s.height * s.width, chunk.count, scratch.columns);
    matrix_product(s.out, columns, s.window(), {weight, s.window()}, {scratch.columns, columns},
                   {.data = scratch.wide, .stride = columns});
    from_wide(s, scratch.wide, chunk.count, bias, accumulate,
              y + chunk.first * s.out * s.positions());
  });
}

// weight (out, in, kernel) -> (in, out, kernel turned round).
void turn_weight(const ConvolutionShape& s, const float* weight, float* turned_weight) {
  const std::size_t kernel = s.kernel_height * s.kernel_width;
  for (std::size_t i = 0; i < s.in; ++i) {
    for (std::size_t o = 0; o < s.out; ++o) {
      const float* from = weight + (o * s.in + i) * kernel;
      for (std::size_t k = kernel; k-- > 0;) *turned_weight++ = from[k];
    }
  }
}

// Each part sums over its samples, and the parts' sums are added in their order.
void weight_gradient(const ConvolutionShape& s, const float* x, const float* grad_y, Gradient to,
                     float* memory, const Team& team) {
  const std::size_t parts = parts_of(s, team);
  const std::size_t size = s.out * s.window();
  float* partial = memory + team.workers() * Scratch::floats(s);
  for_chunks(s, team, memory, [&](const Chunk& chunk, const Scratch& scratch) {
    const std::size_t columns = chunk.count * s.positions();
    make_columns(s, x + chunk.first * s.in * s.height * s.width, chunk.count, scratch.columns);
    to_wide(s, grad_y + chunk.first * s.out * s.positions(), chunk.count, scratch.wide);
    const Gradient sum = parts == 1 ? to : Gradient{partial + chunk.part * size, false};
    matrix_product(
        s.out, s.window(), columns, {scratch.wide, columns}, {scratch.columns, columns, true},
        {.data = sum.data, .stride = s.window(), .accumulate = !chunk.is_first || sum.accumulate});
  });
  if (parts > 1) add_partial_sums(parts, size, partial, to);
}

}  // namespace

std::size_t direct_convolution_scratch_floats(const ConvolutionShape& s, const Team& team) {
  const std::size_t weight = whole_lines(s.out * s.window());
  return std::max(team.workers() * Scratch::floats(s) + parts_of(s, team) * weight,
                  weight + team.workers() * Scratch::floats(turned(s)));
}

void direct_convolution(const ConvolutionShape& s, const float* x, const float* weight,
                        const float* bias, float* y, float* scratch, const Team& team) {
  convolve(s, x, weight, bias, false, y, scratch, team);
}

void direct_convolution_backward(const ConvolutionShape& s, const float* x, const float* weight,
                                 const float* grad_y, const ConvolutionGradients& gradients,
                                 float* scratch, const Team& team) {
  if (gradients.weight.data != nullptr) {
    weight_gradient(s, x, grad_y, gradients.weight, scratch, team);
  }
  if (gradients.x.data != nullptr) {
    turn_weight(s, weight, scratch);
    convolve(turned(s), grad_y, scratch, nullptr, gradients.x.accumulate, gradients.x.data,
             scratch + whole_lines(s.out * s.window()), team);
  }
}

}  // namespace pulsecast::kernels
