#include "pulsecast/kernels/attention.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/kernels/attention_head-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

HeadSize head_size(const AttentionShape& s) {
  return {s.queries, s.keys, s.width, 1.0f / std::sqrt(static_cast<float>(s.width))};
}

HeadDropout head_dropout(const AttentionShape& s, const AttentionDropout& dropout, std::size_t row,
                         std::size_t head) {
  return {dropout.rate > 0.0f ? &dropout.stream : nullptr, dropout.rate,
          ((dropout.first_row + row) * s.heads + head) * s.queries};
}

// Floats of the saved weights of one head of one row.
std::size_t head_weight_floats(const AttentionShape& s) {
  return s.queries * whole_vectors(s.keys);
}

// All heads of one row; every pointer is at the row.
void row_forward(const AttentionShape& s, const float* q, const float* k, const float* v,
                 const AttentionDropout& dropout, std::size_t row, float* out,
                 float* softmax_weights, const HeadScratch& scratch) {
  const std::size_t token = s.token();
  for (std::size_t head = 0; head < s.heads; ++head) {
    const std::size_t column = head * s.width;
    head_forward(
        head_size(s), {q + column, token}, {k + column, token}, {v + column, token},
        head_dropout(s, dropout, row, head), {out + column, token},
        softmax_weights == nullptr ? nullptr : softmax_weights + head * head_weight_floats(s),
        scratch);
  }
}

void row_backward(const AttentionShape& s, const float* q, const float* k, const float* v,
                  const AttentionDropout& dropout, std::size_t row, const float* softmax_weights,
                  const float* grad_out, const AttentionGradients& to, const HeadScratch& scratch) {
  const std::size_t token = s.token();
  for (std::size_t head = 0; head < s.heads; ++head) {
    const std::size_t column = head * s.width;
    const HeadGradients gradients{{to.q.data + column, token},
                                  {to.k.data + column, token},
                                  {to.v.data + column, token},
                                  to.q.accumulate,
                                  to.k.accumulate,
                                  to.v.accumulate};
    head_backward(head_size(s), {q + column, token}, {k + column, token}, {v + column, token},
                  head_dropout(s, dropout, row, head),
                  softmax_weights + head * head_weight_floats(s), {grad_out + column, token},
                  gradients, scratch);
  }
}

Gradient at(const Gradient& gradient, std::size_t offset) {
  return {gradient.data == nullptr ? nullptr : gradient.data + offset, gradient.accumulate};
}

std::size_t row_weight_floats(const AttentionShape& s) { return s.heads * head_weight_floats(s); }

std::size_t WeightFloats(const AttentionShape& s) { return s.rows * row_weight_floats(s); }

std::size_t ScratchFloats(const AttentionShape& s) { return HeadScratch::floats(s.keys, s.width); }

void Attention(const AttentionShape& s, const float* q, const float* k, const float* v,
               const AttentionDropout& dropout, float* out, float* softmax_weights, float* memory) {
  const HeadScratch scratch(memory, s.keys, s.width);
  const std::size_t query_floats = s.queries * s.token();
  const std::size_t key_floats = s.keys * s.token();
  for (std::size_t row = 0; row < s.rows; ++row) {
    row_forward(s, q + row * query_floats, k + row * key_floats, v + row * key_floats, dropout, row,
                out + row * query_floats,
                softmax_weights == nullptr ? nullptr : softmax_weights + row * row_weight_floats(s),
                scratch);
  }
}

void AttentionBackward(const AttentionShape& s, const float* q, const float* k, const float* v,
                       const AttentionDropout& dropout, const float* softmax_weights,
                       const float* grad_out, const AttentionGradients& gradients, float* memory) {
  const HeadScratch scratch(memory, s.keys, s.width);
  const std::size_t query_floats = s.queries * s.token();
  const std::size_t key_floats = s.keys * s.token();
  for (std::size_t row = 0; row < s.rows; ++row) {
    const std::size_t query = row * query_floats;
    const std::size_t key = row * key_floats;
    row_backward(s, q + query, k + key, v + key, dropout, row,
                 softmax_weights + row * row_weight_floats(s), grad_out + query,
                 {at(gradients.q, query), at(gradients.k, key), at(gradients.v, key)}, scratch);
  }
}

// Scratch of the block: the four weights transposed, a row's intermediates, and a head's scratch.
struct BlockScratch {
  static std::size_t floats(const AttentionShape& s) {
    const std::size_t token = s.token();
    return 4 * whole_vectors(token * token) +
           4 * whole_vectors(std::max(s.queries, s.keys) * token) +
           HeadScratch::floats(s.keys, s.width);
  }

  BlockScratch(float* memory, const AttentionShape& s)
      : head(memory + floats(s) - HeadScratch::floats(s.keys, s.width), s.keys, s.width) {
    const std::size_t token = s.token();
    const std::size_t row_floats = whole_vectors(std::max(s.queries, s.keys) * token);
    for (float*& matrix : transposed) {
      matrix = memory;
      memory += whole_vectors(token * token);
    }
    for (float*& part : row) {
      part = memory;
      memory += row_floats;
    }
  }

  float* transposed[4];  // of query, key, value, output: (in, out)
  float* row[4];         // (tokens, token) each
  HeadScratch head;
};

std::size_t BlockScratchFloats(const AttentionShape& s) { return BlockScratch::floats(s); }

// y (tokens, token) = x w' + b, with w' at hand.
void project(std::size_t tokens, std::size_t token, const float* x, const float* transposed,
             const float* bias, float* y) {
  small_gemm<Start::kBias>(tokens, token, token, {x, token, 1}, {transposed, token}, {y, token},
                           bias);
}

void transpose_weights(const AttentionWeights& weights, std::size_t token,
                       const BlockScratch& scratch) {
  const float* matrices[4] = {weights.query.weight, weights.key.weight, weights.value.weight,
                              weights.output.weight};
  for (int i = 0; i < 4; ++i) {
    small_transpose(token, token, {matrices[i], token}, {scratch.transposed[i], token}, token);
  }
}

void Block(const AttentionShape& s, const float* x_q, const float* x_kv,
           const AttentionWeights& weights, const AttentionDropout& dropout, float* out,
           const AttentionBlockSaved* saved, float* memory) {
  const BlockScratch scratch(memory, s);
  const std::size_t token = s.token();
  transpose_weights(weights, token, scratch);
  for (std::size_t row = 0; row < s.rows; ++row) {
    const std::size_t query = row * s.queries * token;
    const std::size_t key = row * s.keys * token;
    float* q = saved == nullptr ? scratch.row[0] : saved->q + query;
    float* k = saved == nullptr ? scratch.row[1] : saved->k + key;
    float* v = saved == nullptr ? scratch.row[2] : saved->v + key;
    float* context = saved == nullptr ? scratch.row[3] : saved->context + query;
    float* softmax_weights =
        saved == nullptr ? nullptr : saved->softmax_weights + row * row_weight_floats(s);
    project(s.queries, token, x_q + query, scratch.transposed[0], weights.query.bias, q);
    project(s.keys, token, x_kv + key, scratch.transposed[1], weights.key.bias, k);
    project(s.keys, token, x_kv + key, scratch.transposed[2], weights.value.bias, v);
    row_forward(s, q, k, v, dropout, row, context, softmax_weights, scratch.head);
    project(s.queries, token, context, scratch.transposed[3], weights.output.bias, out + query);
  }
}

// Adds to the gradients of one projection: weight += g' x, bias += column sums of g.
HWY_INLINE void project_weights_backward(std::size_t tokens, std::size_t token, const float* g,
                                         const float* x, const ProjectionGradients& to,
                                         bool first) {
  small_gemm(token, token, tokens, {g, 1, token}, {x, token}, {to.weight.data, token},
             !first || to.weight.accumulate);
  const float one = 1.0f;
  small_gemm(1, token, tokens, {&one, 0, 0}, {g, token}, {to.bias.data, token},
             !first || to.bias.accumulate);
}

void BlockBackward(const AttentionShape& s, const float* x_q, const float* x_kv,
                   const AttentionWeights& weights, const AttentionDropout& dropout,
                   const AttentionBlockSaved& saved, const float* grad_out,
                   const AttentionBlockGradients& to, float* memory) {
  const BlockScratch scratch(memory, s);
  const std::size_t token = s.token();
  float* grad_context = scratch.row[0];
  float* grad_q = scratch.row[1];
  float* grad_k = scratch.row[2];
  float* grad_v = scratch.row[3];
  const AttentionGradients inner{{grad_q, false}, {grad_k, false}, {grad_v, false}};
  for (std::size_t row = 0; row < s.rows; ++row) {
    const std::size_t query = row * s.queries * token;
    const std::size_t key = row * s.keys * token;
    const bool first = row == 0;
    const float* grad_row = grad_out + query;
    small_gemm<Start::kZero>(s.queries, token, token, {grad_row, token, 1},
                             {weights.output.weight, token}, {grad_context, token});
    project_weights_backward(s.queries, token, grad_row, saved.context + query, to.output, first);
    row_backward(s, saved.q + query, saved.k + key, saved.v + key, dropout, row,
                 saved.softmax_weights + row * row_weight_floats(s), grad_context, inner,
                 scratch.head);
    project_weights_backward(s.queries, token, grad_q, x_q + query, to.query, first);
    project_weights_backward(s.keys, token, grad_k, x_kv + key, to.key, first);
    project_weights_backward(s.keys, token, grad_v, x_kv + key, to.value, first);
    if (to.x_q.data != nullptr) {
      small_gemm(s.queries, token, token, {grad_q, token, 1}, {weights.query.weight, token},
                 {to.x_q.data + query, token}, to.x_q.accumulate);
    }
    if (to.x_kv.data != nullptr) {
      small_gemm(s.keys, token, token, {grad_k, token, 1}, {weights.key.weight, token},
                 {to.x_kv.data + key, token}, to.x_kv.accumulate);
      small_gemm<Start::kAccumulate>(s.keys, token, token, {grad_v, token, 1},
                                     {weights.value.weight, token}, {to.x_kv.data + key, token});
    }
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(WeightFloats);
HWY_EXPORT(ScratchFloats);
HWY_EXPORT(Attention);
HWY_EXPORT(AttentionBackward);
HWY_EXPORT(BlockScratchFloats);
HWY_EXPORT(Block);
HWY_EXPORT(BlockBackward);

std::size_t attention_weight_floats(const AttentionShape& shape) {
  return HWY_DYNAMIC_DISPATCH(WeightFloats)(shape);
}

std::size_t attention_scratch_floats(const AttentionShape& shape) {
  return HWY_DYNAMIC_DISPATCH(ScratchFloats)(shape);
}

void attention(const AttentionShape& shape, const float* q, const float* k, const float* v,
               const AttentionDropout& dropout, float* out, float* softmax_weights,
               float* scratch) {
  HWY_DYNAMIC_DISPATCH(Attention)(shape, q, k, v, dropout, out, softmax_weights, scratch);
}

void attention_backward(const AttentionShape& shape, const float* q, const float* k, const float* v,
                        const AttentionDropout& dropout, const float* softmax_weights,
                        const float* grad_out, const AttentionGradients& gradients,
                        float* scratch) {
  HWY_DYNAMIC_DISPATCH(AttentionBackward)
  (shape, q, k, v, dropout, softmax_weights, grad_out, gradients, scratch);
}

std::size_t attention_block_scratch_floats(const AttentionShape& shape) {
  return HWY_DYNAMIC_DISPATCH(BlockScratchFloats)(shape);
}

void attention_block(const AttentionShape& shape, const float* x_q, const float* x_kv,
                     const AttentionWeights& weights, const AttentionDropout& dropout, float* out,
                     const AttentionBlockSaved* saved, float* scratch) {
  HWY_DYNAMIC_DISPATCH(Block)(shape, x_q, x_kv, weights, dropout, out, saved, scratch);
}

void attention_block_backward(const AttentionShape& shape, const float* x_q, const float* x_kv,
                              const AttentionWeights& weights, const AttentionDropout& dropout,
                              const AttentionBlockSaved& saved, const float* grad_out,
                              const AttentionBlockGradients& gradients, float* scratch) {
  HWY_DYNAMIC_DISPATCH(BlockBackward)
  (shape, x_q, x_kv, weights, dropout, saved, grad_out, gradients, scratch);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
