// Attention in which tokens are both keys and values, with the queries' projection: what is left of
// attention when the linear maps around it are multiplied out (model/phase_router.h).
//
//   q = x_q map + shift
//   out = dropout(softmax(scale * q x')) x, and a 1 behind it
//
// Weights that went through dropout no longer sum to one, so a token that ends in a 1 brings back
// their sum. What multiplies a blend and adds a constant is then one matrix; and as a blend ends in
// a 1 too, so is what multiplies a blend of blends.
//
// Rows are too small to fill vectors, so each has a lane (row_lanes-inl.h): a row's bits depend
// neither on its neighbours nor on the width of vectors.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/attention/attention.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

struct BlendShape {
  std::size_t rows;
  std::size_t queries;
  std::size_t keys;
  std::size_t query_token;  // floats of a token of x_q,
  std::size_t asked;        // of which the first so many go through the map
  std::size_t token;        // floats of a token of x and of out,
  std::size_t matched;      // of which the first so many meet the query
  std::size_t mixed;        // and so many are mixed; the others of x are zero
  float scale;

  AttentionShape inner() const { return {rows, queries, keys, 1, token}; }
};

// Floats, 64-byte aligned, of what forward keeps for backward: queries, and the weights of softmax,
// each negative where dropout took it out.
std::size_t blend_saved_floats(const BlendShape& shape);

// Floats of scratch, 64-byte aligned, that each call below needs.
std::size_t blend_scratch_floats(const BlendShape& shape);

// x_q (rows, queries, query_token), x (rows, keys, token), map (asked + 1, token), of which the
// last row is the shift and columns behind the matched ones are zero -> out (rows, queries, token):
// the mixed columns, a 1 where there is one more, then zeros. Where saved is null (inference)
// everything in between lives in scratch.
void blend(const BlendShape& shape, const float* x_q, const float* x, const float* map,
           const AttentionDropout& dropout, float* out, float* saved, float* scratch);

struct BlendGradients {
  Gradient x_q;
  Gradient x;
  Gradient map;
};

// Any gradient may be null. Those of x_q and x may share a buffer where both accumulate. What came
// back to columns of out behind the mixed ones goes nowhere that matters: columns of a gradient
// that the shape does not use (of x behind the mixed ones, of map behind the matched ones) mean
// nothing.
void blend_backward(const BlendShape& shape, const float* x_q, const float* x, const float* map,
                    const AttentionDropout& dropout, const float* saved, const float* grad_out,
                    const BlendGradients& gradients, float* scratch);

}  // namespace pulsecast::kernels
