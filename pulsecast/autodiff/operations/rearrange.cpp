#include "pulsecast/autodiff/operations/rearrange.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff {
namespace {

void share_transpose(const Tape& tape, std::size_t batch, std::size_t m, std::size_t n,
                     const float* x, bool accumulate, float* y) {
  share_rows(tape, batch, m * n, [&](std::size_t first, std::size_t count) {
    kernels::transpose(count, m, n, x + first * m * n, accumulate, y + first * m * n);
  });
}

void share_blocks(const Tape& tape, std::size_t blocks, std::size_t count, std::size_t from_stride,
                  const float* x, std::size_t to_stride, bool accumulate, float* y) {
  share_rows(tape, blocks, count, [&](std::size_t first, std::size_t own) {
    kernels::copy_blocks(own, count, from_stride, x + first * from_stride, to_stride, accumulate,
                         y + first * to_stride);
  });
}

}  // namespace

Tensor transpose(Tape& tape, const Tensor& x) {
  const std::size_t rank = x.shape.rank();
  require(rank >= 2 && rank <= 3, "transpose", "x (m, n) or (batch, m, n)", x);
  const std::size_t m = x.shape[rank - 2];
  const std::size_t n = x.shape[rank - 1];
  const std::size_t batch = rank == 3 ? x.shape[0] : 1;
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(rank == 3 ? Shape{batch, n, m} : Shape{n, m}, tracked);
  share_transpose(tape, batch, m, n, x.data, false, y.data);
  if (tracked) {
    tape.note([&tape, batch, m, n, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_transpose(tape, batch, n, m, g, to.accumulate, to.data);
    });
  }
  return y;
}

namespace {

Tensor patch_tokens(Tape& tape, const Tensor& x, std::size_t patch, PadSide side,
                    std::size_t width) {
  const std::size_t rows = x.shape[0];
  const std::size_t length = x.shape[1];
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, patch, width}, tracked);
  kernels::to_tokens(rows, length, patch, side, width, x.data, y.data);
  if (tracked) {
    tape.note([&tape, rows, length, patch, side, width, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      kernels::to_tokens_adjoint(rows, length, patch, side, width, g, to.accumulate, to.data);
    });
  }
  return y;
}

}  // namespace

Tensor to_patches(Tape& tape, const Tensor& x, std::size_t patch, PadSide side) {
  require(x.shape.rank() == 2 && patch >= 1 && x.shape[1] >= 1, "to_patches",
          "x (rows, length) and a patch of at least 1", x);
  return patch_tokens(tape, x, patch, side, (x.shape[1] + patch - 1) / patch);
}

Tensor to_tokens(Tape& tape, const Tensor& x, std::size_t patch, PadSide side, std::size_t width) {
  require(x.shape.rank() == 2 && patch >= 1 && x.shape[1] >= 1 && width * patch >= x.shape[1],
          "to_tokens", "x (rows, length), a patch of at least 1 and a width of all patches", x);
  return patch_tokens(tape, x, patch, side, width);
}

Tensor from_patches(Tape& tape, const Tensor& x, std::size_t length) {
  require(
      x.shape.rank() == 3 && length >= 1 && (length + x.shape[1] - 1) / x.shape[1] == x.shape[2],
      "from_patches", "x (rows, patch, patches) with patches = ceil(length / patch)", x);
  const std::size_t rows = x.shape[0];
  const std::size_t patch = x.shape[1];
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, length}, tracked);
  kernels::from_patches(rows, length, patch, x.data, y.data);
  if (tracked) {
    tape.note([&tape, rows, length, patch, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      kernels::from_patches_adjoint(rows, length, patch, g, to.accumulate, to.data);
    });
  }
  return y;
}

Tensor to_strided_patches(Tape& tape, const Tensor& x, std::size_t patch, std::size_t stride) {
  require(x.shape.rank() == 2 && x.shape[1] >= 1 && patch >= 1 && stride >= 1 && stride <= patch,
          "to_strided_patches", "x (rows, length), and a stride from 1 to the patch", x);
  const std::size_t rows = x.shape[0];
  const std::size_t length = x.shape[1];
  const bool tracked = tape.tracks(x);
  const Tensor y =
      tape.result({rows, kernels::strided_patches(length, patch, stride), patch}, tracked);
  kernels::to_strided_patches(rows, length, patch, stride, x.data, y.data);
  if (tracked) {
    tape.note([&tape, rows, length, patch, stride, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      kernels::to_strided_patches_adjoint(rows, length, patch, stride, g, to.accumulate, to.data);
    });
  }
  return y;
}

Tensor join_tokens(Tape& tape, const Tensor& x, const Tensor& y) {
  require(x.shape.rank() == 3 && y.shape.rank() == 3 && x.shape[0] == y.shape[0] &&
              x.shape[2] == y.shape[2],
          "join_tokens", "x (rows, a, width) and y (rows, b, width)", x, y);
  const std::size_t rows = x.shape[0];
  const std::size_t width = x.shape[2];
  const std::size_t a = x.shape[1] * width;
  const std::size_t b = y.shape[1] * width;
  const bool tracked = tape.tracks(x, y);
  const Tensor joined = tape.result({rows, x.shape[1] + y.shape[1], width}, tracked);
  share_blocks(tape, rows, a, a, x.data, a + b, false, joined.data);
  share_blocks(tape, rows, b, b, y.data, a + b, false, joined.data + a);
  if (tracked) {
    tape.note([&tape, rows, a, b, x, y, joined] {
      const float* g = Tape::incoming(joined);
      if (g == nullptr) return;
      if (const kernels::Gradient to = tape.outgoing(x); to.data != nullptr) {
        share_blocks(tape, rows, a, a + b, g, a, to.accumulate, to.data);
      }
      if (const kernels::Gradient to = tape.outgoing(y); to.data != nullptr) {
        share_blocks(tape, rows, b, a + b, g + a, b, to.accumulate, to.data);
      }
    });
  }
  return joined;
}

Tensor take_tokens(Tape& tape, const Tensor& x, std::size_t first, std::size_t count) {
  require(x.shape.rank() == 3 && count >= 1 && first + count <= x.shape[1], "take_tokens",
          "x (rows, tokens, width) that has the tokens", x);
  const std::size_t rows = x.shape[0];
  const std::size_t each = x.shape[1] * x.shape[2];
  const std::size_t begin = first * x.shape[2];
  const std::size_t size = count * x.shape[2];
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, count, x.shape[2]}, tracked);
  share_blocks(tape, rows, size, each, x.data + begin, size, false, y.data);
  if (tracked) {
    tape.note([&tape, rows, each, begin, size, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      if (!to.accumulate) std::fill_n(to.data, x.count(), 0.0f);
      share_blocks(tape, rows, size, size, g, each, true, to.data + begin);
    });
  }
  return y;
}

namespace {

void share_swap(const Tape& tape, const Shape& shape, const float* x, bool accumulate, float* y) {
  const std::size_t m = shape[1];
  const std::size_t n = shape[2];
  const std::size_t width = shape[3];
  share_rows(tape, shape[0], m * n * width, [&](std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row) {
      const std::size_t begin = row * m * n * width;
      for (std::size_t i = 0; i < m; ++i) {
        kernels::copy_blocks(n, width, width, x + begin + i * n * width, m * width, accumulate,
                             y + begin + i * width);
      }
    }
  });
}

}  // namespace

Tensor swap_middle(Tape& tape, const Tensor& x) {
  require(x.shape.rank() == 4, "swap_middle", "x (rows, m, n, width)", x);
  const Shape back{x.shape[0], x.shape[2], x.shape[1], x.shape[3]};
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(back, tracked);
  share_swap(tape, x.shape, x.data, false, y.data);
  if (tracked) {
    tape.note([&tape, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_swap(tape, y.shape, g, to.accumulate, to.data);
    });
  }
  return y;
}

Tensor sliding_windows(Tape& tape, const Tensor& x, std::size_t width) {
  require(x.shape.rank() == 2 && width >= 1 && width <= x.shape[1], "sliding_windows",
          "x (rows, n) and a width from 1 to n", x);
  const std::size_t rows = x.shape[0];
  const std::size_t length = x.shape[1];
  const std::size_t windows = length - width + 1;
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, windows, width}, tracked);
  share_rows(tape, rows, windows * width, [&](std::size_t first, std::size_t count) {
    for (std::size_t row = first; row < first + count; ++row) {
      kernels::copy_blocks(windows, width, 1, x.data + row * length, width, false,
                           y.data + row * windows * width);
    }
  });
  if (tracked) {
    tape.note([&tape, rows, length, windows, width, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_rows(tape, rows, windows * width, [&](std::size_t first, std::size_t count) {
        if (!to.accumulate) std::fill_n(to.data + first * length, count * length, 0.0f);
        for (std::size_t row = first; row < first + count; ++row) {
          kernels::copy_blocks(windows, width, width, g + row * windows * width, 1, true,
                               to.data + row * length);
        }
      });
    });
  }
  return y;
}

Tensor resize_width(Tape& tape, const Tensor& x, std::size_t width) {
  require(x.shape.rank() >= 1 && width >= 1, "resize_width", "x (..., n) and a width of at least 1",
          x);
  const std::size_t before = x.shape.width();
  if (width == before) return x;
  const std::size_t rows = x.shape.rows();
  const std::size_t kept = std::min(before, width);
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape.with_width(width), tracked);
  if (kept < width) std::fill_n(y.data, y.count(), 0.0f);
  share_blocks(tape, rows, kept, before, x.data, width, false, y.data);
  if (tracked) {
    tape.note([&tape, rows, kept, before, width, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      if (!to.accumulate && kept < before) std::fill_n(to.data, x.count(), 0.0f);
      share_blocks(tape, rows, kept, width, g, before, to.accumulate, to.data);
    });
  }
  return y;
}

Tensor wrap_ends(Tape& tape, const Tensor& x, std::size_t count) {
  require(x.shape.rank() == 2 && count <= x.shape[1], "wrap_ends",
          "x (rows, n) with n of at least the count", x);
  const std::size_t rows = x.shape[0];
  const std::size_t n = x.shape[1];
  const std::size_t width = n + 2 * count;
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result({rows, width}, tracked);
  share_blocks(tape, rows, n, n, x.data, width, false, y.data + count);
  share_blocks(tape, rows, count, n, x.data + n - count, width, false, y.data);
  share_blocks(tape, rows, count, n, x.data, width, false, y.data + count + n);
  if (tracked) {
    tape.note([&tape, rows, n, count, width, x, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to = tape.outgoing(x);
      share_blocks(tape, rows, n, width, g + count, n, to.accumulate, to.data);
      share_blocks(tape, rows, count, width, g, n, true, to.data + n - count);
      share_blocks(tape, rows, count, width, g + count + n, n, true, to.data);
    });
  }
  return y;
}

namespace {

void require_table(const char* operation, const Tensor& table, const std::uint32_t* indices,
                   std::size_t count) {
  require(table.shape.rank() == 2, operation, "a table (rows, width)", table);
  const std::uint32_t* highest = std::max_element(indices, indices + count);
  if (count > 0 && *highest >= table.shape[0]) {
    throw_error(ErrorKind::kUsage, operation, "expected indices below {} for a table {}, got {}",
                table.shape[0], to_string(table.shape), *highest);
  }
}

// Where rows of a table's gradient are added to one by one.
float* outgoing_table(Tape& tape, const Tensor& table) {
  const kernels::Gradient to = tape.outgoing(table);
  if (!to.accumulate) std::fill_n(to.data, table.count(), 0.0f);
  return to.data;
}

}  // namespace

Tensor gather_rows(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                   std::size_t count) {
  require_table("gather_rows", table, indices, count);
  const std::size_t width = table.shape[1];
  const bool tracked = tape.tracks(table);
  const Tensor y = tape.result({count, width}, tracked);
  kernels::gather_rows(count, width, indices, table.data, y.data);
  if (tracked) {
    tape.note([&tape, indices, count, width, table, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      kernels::scatter_add_rows(count, width, indices, g, outgoing_table(tape, table));
    });
  }
  return y;
}

namespace {

// y (samples, width, steps) is tracked, or neither it nor its bases are.
Tensor gathered_columns(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                        const ApartSamples& bases, const Tensor& y) {
  const std::size_t samples = y.shape[0];
  const std::size_t width = y.shape[1];
  const std::size_t steps = y.shape[2];
  kernels::gather_columns(samples, steps, width, indices, table.data, bases.values, y.data);
  if (y.wants_gradient()) {
    tape.note([&tape, indices, samples, steps, width, table, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr || !table.wants_gradient()) return;
      kernels::scatter_add_columns(samples, steps, width, indices, g, outgoing_table(tape, table));
    });
  }
  return y;
}

}  // namespace

Tensor gather_columns(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                      std::size_t samples, std::size_t steps) {
  require_table("gather_columns", table, indices, samples * steps);
  const Tensor y = tape.result({samples, table.shape[1], steps}, tape.tracks(table));
  return gathered_columns(tape, table, indices, {}, y);
}

Tensor gather_columns_onto(Tape& tape, const Tensor& table, const std::uint32_t* indices,
                           const ApartSamples& bases, std::size_t samples, std::size_t steps) {
  require_table("gather_columns_onto", table, indices, samples * steps);
  const Shape shape{samples, table.shape[1], steps};
  const Tensor y = bases.gradients == nullptr
                       ? tape.result(shape, tape.tracks(table))
                       : tape.variable(tape.floats(shape.count()), shape, bases.gradients);
  return gathered_columns(tape, table, indices, bases, y);
}

Tensor join_samples(Tape& tape, const ApartSamples& bases, const Shape& shape,
                    std::size_t samples) {
  const std::size_t size = shape.count() / samples;
  float* values = tape.floats(shape.count());
  for (std::size_t i = 0; i < samples; ++i) {
    std::copy_n(bases.values[i], size, values + i * size);
  }
  return bases.gradients == nullptr ? tape.constant(values, shape)
                                    : tape.variable(values, shape, bases.gradients);
}

Tensor add_to_samples(Tape& tape, const Tensor& x, const ApartSamples& bases, std::size_t samples) {
  require(samples >= 1 && x.count() % samples == 0, "add_to_samples", "x (samples * width, steps)",
          x);
  const std::size_t size = x.count() / samples;
  const bool tracked = tape.tracks(x) || bases.gradients != nullptr;
  const Tensor y = tape.result(x.shape, tracked);
  for (std::size_t i = 0; i < samples; ++i) {
    kernels::combine(size, 1.0f, x.data + i * size, 1.0f, bases.values[i], false,
                     y.data + i * size);
  }
  if (tracked) {
    tape.note([&tape, x, bases, y] {
      if (Tape::incoming(y) == nullptr) return;
      if (bases.gradients != nullptr) {
        kernels::scale(y.count(), 1.0f, y.slot->data, false, bases.gradients);
      }
      tape.contribute(x, y.slot->data, 1.0f);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
