#include "pulsecast/autodiff/operations/arithmetic.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff {
namespace {

// alpha * a + beta * b
Tensor linear_combination(Tape& tape, const char* operation, float alpha, const Tensor& a,
                          float beta, const Tensor& b) {
  require(a.shape == b.shape, operation, "two tensors of one shape", a, b);
  const bool tracked = tape.tracks(a, b);
  const Tensor y = tape.result(a.shape, tracked);
  share_values(tape, a.count(), [&](std::size_t first, std::size_t count) {
    kernels::combine(count, alpha, a.data + first, beta, b.data + first, false, y.data + first);
  });
  if (tracked) {
    tape.note([&tape, alpha, a, beta, b, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      // One input takes over the memory of the gradient; the other, if it wants one, gets a copy.
      const bool both = a.wants_gradient() && b.wants_gradient();
      if (both) {
        const kernels::Gradient to = tape.outgoing(b);
        share_values(tape, b.count(), [&](std::size_t first, std::size_t count) {
          kernels::scale(count, beta, g + first, to.accumulate, to.data + first);
        });
      }
      if (a.wants_gradient()) {
        tape.contribute(a, y.slot->data, alpha);
      } else {
        tape.contribute(b, y.slot->data, beta);
      }
    });
  }
  return y;
}

}  // namespace

Tensor add(Tape& tape, const Tensor& a, const Tensor& b) {
  return linear_combination(tape, "add", 1.0f, a, 1.0f, b);
}

Tensor subtract(Tape& tape, const Tensor& a, const Tensor& b) {
  return linear_combination(tape, "subtract", 1.0f, a, -1.0f, b);
}

Tensor mix(Tape& tape, const Tensor& a, const Tensor& b, float weight) {
  return linear_combination(tape, "mix", weight, a, 1.0f - weight, b);
}

Tensor multiply(Tape& tape, const Tensor& a, const Tensor& b) {
  require(a.shape == b.shape, "multiply", "two tensors of one shape", a, b);
  const bool tracked = tape.tracks(a, b);
  const Tensor y = tape.result(a.shape, tracked);
  kernels::multiply(a.count(), a.data, b.data, false, y.data);
  if (tracked) {
    tape.note([&tape, a, b, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const auto pass = [&](const Tensor& input, const Tensor& other) {
        const kernels::Gradient to = tape.outgoing(input);
        if (to.data == nullptr) return;
        kernels::multiply(input.count(), g, other.data, to.accumulate, to.data);
      };
      pass(a, b);
      pass(b, a);
    });
  }
  return y;
}

Tensor add_to_rows(Tape& tape, const Tensor& x, const Tensor& row) {
  const std::size_t rank = x.shape.rank();
  const bool fits = (row.shape.rank() == 1 && row.shape[0] == x.shape.width()) ||
                    (row.shape.rank() == 2 && rank >= 2 &&
                     row.shape == Shape{x.shape[rank - 2], x.shape[rank - 1]});
  require(fits, "add_to_rows",
          "x (..., width) and a row (width), or x (..., n, width) and (n, width)", x, row);
  const std::size_t columns = row.count();
  const std::size_t rows = x.count() / columns;
  const bool tracked = tape.tracks(x, row);
  const Tensor y = tape.result(x.shape, tracked);
  share_rows(tape, rows, columns, [&](std::size_t first, std::size_t count) {
    kernels::add_bias(count, columns, row.data, x.data + first * columns, y.data + first * columns);
  });
  if (tracked) {
    tape.note([&tape, rows, columns, x, row, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      if (const kernels::Gradient to = tape.outgoing(row); to.data != nullptr) {
        const ArenaScope scope(tape.arena());
        kernels::shared_column_sums(
            tape.team(), rows, columns, g, to,
            tape.floats(kernels::shared_sums_scratch_floats(tape.team(), rows, columns)));
      }
      tape.contribute(x, y.slot->data, 1.0f);
    });
  }
  return y;
}

Tensor scale(Tape& tape, const Tensor& x, float factor) {
  const bool tracked = tape.tracks(x);
  const Tensor y = tape.result(x.shape, tracked);
  share_values(tape, x.count(), [&](std::size_t first, std::size_t count) {
    kernels::scale(count, factor, x.data + first, false, y.data + first);
  });
  if (tracked) {
    tape.note([&tape, factor, x, y] {
      if (Tape::incoming(y) != nullptr) tape.contribute(x, y.slot->data, factor);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
