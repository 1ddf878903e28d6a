// Dropout of any tensor, by rows.
#pragma once

#include <cstdint>

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/base/random.h"

namespace pulsecast::autodiff {

// x (..., width): row i draws the mask of row first_row + i of `stream`, so that a shard's masks do
// not depend on where the batch was cut. Rate 0 returns x itself.
Tensor dropout(Tape& tape, const Tensor& x, const random::Stream& stream, float rate,
               std::uint64_t first_row);

}  // namespace pulsecast::autodiff
