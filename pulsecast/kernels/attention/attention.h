// Attention with dropout on its weights: softmax(q k' / sqrt(width of a head)) v, per row and head.
//
// Queries, keys and values come projected; blend.h has what is left of the projections in the
// router. A row is done at once: for small ones (24 tokens of width 16 are 1.5 kB) everything
// between reading the input and writing the output stays in the first-level cache.
//
// Shapes: a row holds `queries` tokens that look at `keys` tokens; a token is heads * width floats,
// head h in [h * width, (h + 1) * width).
#pragma once

#include <cstddef>
#include <cstdint>

#include "pulsecast/base/random.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

struct AttentionShape {
  std::size_t rows;
  std::size_t queries;
  std::size_t keys;
  std::size_t heads;
  std::size_t width;  // of one head
  // Query i looks at keys 0 to i alone, of as many keys as queries.
  bool is_causal = false;

  std::size_t token() const { return heads * width; }
};

// Row r of a call draws as row first_row + r, so that a shard's masks do not depend on where the
// batch was cut. Query i of head h draws mask row ((first_row + r) * heads + h) * queries + i of
// random::dropout_scale, counted from first_mask_row.
struct AttentionDropout {
  random::Stream stream;
  float rate = 0.0f;  // 0: none
  std::uint64_t first_row = 0;
  std::uint64_t first_mask_row = 0;
};

// Floats of scratch, 64-byte aligned, that attention and attention_backward need.
std::size_t attention_scratch_floats(const AttentionShape& shape);

// Floats of what forward keeps for backward: the weights of softmax, a row of whole SIMD vectors a
// query, each negative where dropout took it out.
std::size_t attention_weight_floats(const AttentionShape& shape);

// q (rows, queries, token), k and v (rows, keys, token) -> out (rows, queries, token).
// softmax_weights (attention_weight_floats, 64-byte aligned) is null in inference.
void attention(const AttentionShape& shape, const float* q, const float* k, const float* v,
               const AttentionDropout& dropout, float* out, float* softmax_weights, float* scratch);

struct AttentionGradients {
  Gradient q;
  Gradient k;
  Gradient v;
};

// All three gradients are asked for, in buffers of their own or in one where all accumulate.
void attention_backward(const AttentionShape& shape, const float* q, const float* k, const float* v,
                        const AttentionDropout& dropout, const float* softmax_weights,
                        const float* grad_out, const AttentionGradients& gradients, float* scratch);

}  // namespace pulsecast::kernels
