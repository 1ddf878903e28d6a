// Which row of the codebook each step of a history reads.
//
// The codebook M (L, C) is a learned level per channel for each of L phases. With p the phase of
// the step just after the window, position j = 0 .. T-1, oldest first, reads
//
//   reference   row (p - j) mod L, as the paper's authors ran it: the codebook runs backwards in
//               time and moves with the window
//   calendar    row ((p - T + j) mod W) mod L: one phase reads one row in every window
#pragma once

#include <cstdint>

#include "pulsecast/model/model_shape.h"

namespace pulsecast::model {

// rows (T), for phase p in [0, W).
void codebook_rows(const ModelShape& shape, std::int32_t p, std::uint32_t* rows);

}  // namespace pulsecast::model
