// Single- and multi-head attention, bare and with its projections.
#pragma once

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/attention.h"

namespace pulsecast::autodiff {

using kernels::AttentionDropout;

// q (rows, queries, token), k and v (rows, keys, token), heads divides token
// -> (rows, queries, token)
Tensor attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v, std::size_t heads,
                 const AttentionDropout& dropout);

// The parameters of a block: weights (token, token) as (out, in), biases (token).
struct AttentionParameters {
  Tensor query_weight, query_bias;
  Tensor key_weight, key_bias;
  Tensor value_weight, value_bias;
  Tensor output_weight, output_bias;
};

// x_q (rows, queries, token), x_kv (rows, keys, token) -> (rows, queries, token): single-head
// attention with its projections, fused row by row. For small tokens; wide ones, and several heads,
// are better served by linear() around attention().
Tensor attention_block(Tape& tape, const Tensor& x_q, const Tensor& x_kv,
                       const AttentionParameters& parameters, const AttentionDropout& dropout);

}  // namespace pulsecast::autodiff
