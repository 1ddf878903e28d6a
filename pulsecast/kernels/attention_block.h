// Single-head attention with its four projections, for tokens so small that a row fits in the
// first-level cache:
//
//   q = x_q Wq' + bq,  k = x_kv Wk' + bk,  v = x_kv Wv' + bv
//   out = dropout(softmax(q k' / sqrt(token))) v Wo' + bo
//
// Consecutive linear maps are multiplied out first, once a call. Of q k', what differs between the
// keys of one query is (x_q M + m) x_kv' with M = Wq' Wk and m = bq Wk; the rest is the same for
// all keys and falls out of softmax. And v Wo' is x_kv N + n with N = Wv' Wo' and n = bv Wo'. So a
// row needs two projections forward and four products backward instead of four and eight, and the
// gradients of M, m, N and n are turned into those of the weights at the end. The function and its
// gradients are the same; the bias of the key has no effect on either, so its gradient is zero.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/attention.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// Tokens of x_q and x_kv are `token` floats wide.
struct AttentionBlockShape {
  std::size_t rows;
  std::size_t queries;
  std::size_t keys;
  std::size_t token;

  AttentionShape inner() const { return {rows, queries, keys, 1, token}; }
};

// weight (token, token) as (out, in), bias (token).
struct Projection {
  const float* weight;
  const float* bias;
};
struct AttentionBlockWeights {
  Projection query;
  Projection key;
  Projection value;
  Projection output;
};

// What forward keeps for backward.
struct AttentionBlockSaved {
  float* queries;          // (rows, queries, token): x_q M + m
  float* values;           // (rows, keys, token): x_kv N + n
  float* softmax_weights;  // attention_weight_floats(shape.inner()), 64-byte aligned
};

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t attention_block_scratch_floats(const AttentionBlockShape& shape);

// x_q (rows, queries, token), x_kv (rows, keys, token) -> out (rows, queries, token). Where saved
// is null (inference) everything in between lives in scratch.
void attention_block(const AttentionBlockShape& shape, const float* x_q, const float* x_kv,
                     const AttentionBlockWeights& weights, const AttentionDropout& dropout,
                     float* out, const AttentionBlockSaved* saved, float* scratch);

struct ProjectionGradients {
  Gradient weight;
  Gradient bias;
};
struct AttentionBlockGradients {
  Gradient x_q;
  Gradient x_kv;
  ProjectionGradients query;
  ProjectionGradients key;
  ProjectionGradients value;
  ProjectionGradients output;
};

// Any gradient may be null. Those of x_q and x_kv may share a buffer where both accumulate.
void attention_block_backward(const AttentionBlockShape& shape, const float* x_q, const float* x_kv,
                              const AttentionBlockWeights& weights, const AttentionDropout& dropout,
                              const AttentionBlockSaved& saved, const float* grad_out,
                              const AttentionBlockGradients& gradients, float* scratch);

}  // namespace pulsecast::kernels
