// Single- and multi-head attention, and what is left of it between linear maps.
#pragma once

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/attention/attention.h"

namespace pulsecast::autodiff {

using kernels::AttentionDropout;

// q (rows, queries, token), k and v (rows, keys, token), heads divides token
// -> (rows, queries, token)
Tensor attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v, std::size_t heads,
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
