// Single- and multi-head attention, and what is left of it between linear maps.
#pragma once

#include <cstdint>
#include <span>

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/attention/attention.h"

namespace pulsecast::autodiff {

using kernels::AttentionDropout;

// q (rows, queries, token), k and v (rows, keys, token), heads divides token
// -> (rows, queries, token)
Tensor attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v, std::size_t heads,
                 const AttentionDropout& dropout);

// Attention inside segments, of which a sample has its own length: q, k and v (samples, steps,
// token), lengths (samples) from 1 to the steps, which outlive the tape -> (samples, steps, token).
// A step looks at itself and at those before it in its segment; the last segment of a sample may be
// shorter. The draws of a segment begin where its first step is: `dropout` counts samples as rows
// of `steps` queries.
Tensor segment_attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v,
                         std::size_t heads, std::span<const std::uint32_t> lengths,
                         const AttentionDropout& dropout);

// Of the tokens of a blend, the first `matched` columns meet the queries and the first `mixed` are
// mixed; behind those a map and a token are zero.
struct BlendColumns {
  std::size_t matched;
  std::size_t mixed;
};

// x_q (rows, queries, a), x (rows, keys, token), map (asked + 1, token), asked <= a
// -> (rows, queries, token): tokens as softmax of scale times (x_q map + its last row) x' mixes
// them, and a 1 behind. For small tokens; see kernels/pointwise/blend.h.
Tensor blend(Tape& tape, const Tensor& x_q, const Tensor& x, const Tensor& map,
             const BlendColumns& columns, float scale, const AttentionDropout& dropout);

}  // namespace pulsecast::autodiff
