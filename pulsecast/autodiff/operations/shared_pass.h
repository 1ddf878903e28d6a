// Passes over values or rows that the team of a tape shares. What a part does depends on its own
// rows alone, so cutting changes no bit.
#pragma once

#include <cstddef>

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::autodiff {

// body(first, count) over all of [0, count).
template <typename Body>
void share_values(const Tape& tape, std::size_t count, Body body) {
  tape.team().split(count, kernels::kPassGrain,
                    [&](const Team::Part& part) { body(part.first, part.count); });
}

// The same for rows of `width` values, or of as much work.
template <typename Body>
void share_rows(const Tape& tape, std::size_t rows, std::size_t width, Body body) {
  tape.team().split(rows, kernels::pass_rows(width),
                    [&](const Team::Part& part) { body(part.first, part.count); });
}

// A gradient from `offset` on.
inline kernels::Gradient from(const kernels::Gradient& gradient, std::size_t offset) {
  return {gradient.data == nullptr ? nullptr : gradient.data + offset, gradient.accumulate};
}

}  // namespace pulsecast::autodiff
