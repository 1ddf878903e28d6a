#include "pulsecast/kernels/attention_block.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/attention_block.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/attention_head-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// Tokens that go through a projection together. A row of its own would be too short: of six tokens,
// the product that sums a gradient of M loads and stores the whole of it for six multiply-adds.
constexpr std::size_t kGroupTokens = 96;

// Rows whose tokens go together.
std::size_t rows_of_group(const AttentionBlockShape& s) {
  return std::max<std::size_t>(1, kGroupTokens / std::max(s.queries, s.keys));
}

// The two folded maps, their transposes and the gradients of all four parts, and what a group of
// rows needs.
class BlockScratch {
 public:
  BlockScratch(float* memory, const AttentionBlockShape& s) : next_(memory) {
    const std::size_t square = s.token * s.token;
    for (float** matrix :
         {&scores, &scores_t, &mixing, &mixing_t, &grad_scores, &grad_mixing, &transposed}) {
      *matrix = take(square);
    }
    for (float** vector : {&scores_shift, &mixing_shift, &grad_scores_shift, &grad_mixing_shift}) {
      *vector = take(s.token);
    }
    const std::size_t group = rows_of_group(s);
    queries = take(group * s.queries * s.token);
    values = take(group * s.keys * s.token);
    keys = take(s.keys * s.token);
    head_memory = take(HeadScratch::floats(s.keys, s.token));
  }
  static std::size_t floats(const AttentionBlockShape& s) {
    const std::size_t group = rows_of_group(s);
    return 7 * whole_vectors(s.token * s.token) + 4 * whole_vectors(s.token) +
           whole_vectors(group * s.queries * s.token) + whole_vectors(group * s.keys * s.token) +
           whole_vectors(s.keys * s.token) + whole_vectors(HeadScratch::floats(s.keys, s.token));
  }

  float* scores;             // M (token, token): x_q M + m meets x_kv
  float* scores_t;           // M'
  float* scores_shift;       // m (token)
  float* mixing;             // N (token, token): x_kv N + n is what weights mix
  float* mixing_t;           // N'
  float* mixing_shift;       // n (token)
  float* grad_scores;        // of M
  float* grad_scores_shift;  // of m
  float* grad_mixing;        // of N
  float* grad_mixing_shift;  // of n
  float* transposed;         // a matrix on its way
  float* queries;            // (queries, token) of each row: x_q M + m, or its gradient
  float* values;             // (keys, token) of each row: x_kv N + n, or its gradient
  float* keys;               // (keys, token) of a row: a gradient of x_kv that nobody wants
  float* head_memory;

 private:
  float* take(std::size_t floats) {
    float* memory = next_;
    next_ += whole_vectors(floats);
    return memory;
  }
  float* next_;
};

std::size_t BlockScratchFloats(const AttentionBlockShape& s) { return BlockScratch::floats(s); }

constexpr float kOne = 1.0f;

void transpose_square(std::size_t token, const float* from, float* to) {
  small_transpose(token, token, {from, token}, {to, token}, token);
}

// M = Wq' Wk, m = bq Wk, N = Wv' Wo', n = bv Wo'.
void fold(std::size_t token, const AttentionBlockWeights& w, const BlockScratch& s) {
  small_gemm<Start::kZero>(token, token, token, {w.query.weight, 1, token}, {w.key.weight, token},
                           {s.scores, token});
  small_gemm<Start::kZero>(1, token, token, {w.query.bias, 0, 1}, {w.key.weight, token},
                           {s.scores_shift, token});
  transpose_square(token, w.output.weight, s.transposed);
  small_gemm<Start::kZero>(token, token, token, {w.value.weight, 1, token}, {s.transposed, token},
                           {s.mixing, token});
  small_gemm<Start::kZero>(1, token, token, {w.value.bias, 0, 1}, {s.transposed, token},
                           {s.mixing_shift, token});
}

HeadSize head_size(const AttentionBlockShape& s) {
  return {s.queries, s.keys, s.token, 1.0f / std::sqrt(static_cast<float>(s.token))};
}

HeadDropout head_dropout(const AttentionBlockShape& s, const AttentionDropout& dropout,
                         std::size_t row) {
  return {dropout.rate > 0.0f ? &dropout.stream : nullptr, dropout.rate,
          (dropout.first_row + row) * s.queries};
}

std::size_t row_weight_floats(const AttentionBlockShape& s) {
  return s.queries * whole_vectors(s.keys);
}

// body(first, end) for each group of rows.
template <class Body>
HWY_INLINE void for_groups(const AttentionBlockShape& s, Body body) {
  const std::size_t group = rows_of_group(s);
  for (std::size_t first = 0; first < s.rows; first += group) {
    body(first, std::min(s.rows, first + group));
  }
}

void Block(const AttentionBlockShape& s, const float* x_q, const float* x_kv,
           const AttentionBlockWeights& weights, const AttentionDropout& dropout, float* out,
           const AttentionBlockSaved* saved, float* memory) {
  const BlockScratch scratch(memory, s);
  const HeadScratch head(scratch.head_memory, s.keys, s.token);
  const std::size_t token = s.token;
  const std::size_t query = s.queries * token;  // floats of a row
  const std::size_t key = s.keys * token;
  fold(token, weights, scratch);
  for_groups(s, [&](std::size_t first, std::size_t end) {
    const std::size_t rows = end - first;
    float* queries = saved == nullptr ? scratch.queries : saved->queries + first * query;
    float* values = saved == nullptr ? scratch.values : saved->values + first * key;
    small_gemm<Start::kBias>(rows * s.queries, token, token, {x_q + first * query, token, 1},
                             {scratch.scores, token}, {queries, token}, scratch.scores_shift);
    small_gemm<Start::kBias>(rows * s.keys, token, token, {x_kv + first * key, token, 1},
                             {scratch.mixing, token}, {values, token}, scratch.mixing_shift);
    for (std::size_t row = first; row < end; ++row) {
      float* softmax_weights =
          saved == nullptr ? nullptr : saved->softmax_weights + row * row_weight_floats(s);
      head_forward(head_size(s), {queries + (row - first) * query, token},
                   {x_kv + row * key, token}, {values + (row - first) * key, token},
                   head_dropout(s, dropout, row), weights.output.bias, {out + row * query, token},
                   softmax_weights, head);
    }
  });
}

// sums (token) += or = column sums of x (tokens, token)
HWY_INLINE void sum_tokens(std::size_t tokens, std::size_t token, const float* x, bool accumulate,
                           float* sums) {
  small_gemm(1, token, tokens, {&kOne, 0, 0}, {x, token}, {sums, token}, accumulate);
}

// to (token, token) = A B, where to is asked for.
void put_product(std::size_t token, Strided a, const float* b, const Gradient& to) {
  if (to.data == nullptr) return;
  small_gemm(token, token, token, a, {b, token}, {to.data, token}, to.accumulate);
}

// to (token) = a B, where to is asked for.
void put_row(std::size_t token, const float* a, const float* b, const Gradient& to) {
  if (to.data == nullptr) return;
  small_gemm(1, token, token, {a, 0, 1}, {b, token}, {to.data, token}, to.accumulate);
}

// to (token, token) += column (token) row (token)
void add_outer(std::size_t token, const float* column, const float* row, const Gradient& to) {
  if (to.data == nullptr) return;
  small_gemm<Start::kAccumulate>(token, token, 1, {column, 1, 0}, {row, token}, {to.data, token});
}

// From the gradients of M, m, N and n to those of the weights and biases they were made of.
void unfold(std::size_t token, const AttentionBlockWeights& w, const BlockScratch& s,
            const AttentionBlockGradients& to) {
  // dWq = Wk dM', dWk = Wq dM + bq (x) dm, dbq = dm Wk'.
  transpose_square(token, s.grad_scores, s.transposed);
  put_product(token, {w.key.weight, token, 1}, s.transposed, to.query.weight);
  put_product(token, {w.query.weight, token, 1}, s.grad_scores, to.key.weight);
  add_outer(token, w.query.bias, s.grad_scores_shift, to.key.weight);
  transpose_square(token, w.key.weight, s.transposed);
  put_row(token, s.grad_scores_shift, s.transposed, to.query.bias);
  // dWv = Wo' dN', dWo = dN' Wv' + dn (x) bv, dbv = dn Wo.
  transpose_square(token, s.grad_mixing, s.transposed);
  put_product(token, {w.output.weight, 1, token}, s.transposed, to.value.weight);
  transpose_square(token, w.value.weight, s.transposed);
  put_product(token, {s.grad_mixing, 1, token}, s.transposed, to.output.weight);
  add_outer(token, s.grad_mixing_shift, w.value.bias, to.output.weight);
  put_row(token, s.grad_mixing_shift, w.output.weight, to.value.bias);
  if (to.key.bias.data != nullptr && !to.key.bias.accumulate) {
    std::fill_n(to.key.bias.data, token, 0.0f);
  }
}

void BlockBackward(const AttentionBlockShape& s, const float* x_q, const float* x_kv,
                   const AttentionBlockWeights& weights, const AttentionDropout& dropout,
                   const AttentionBlockSaved& saved, const float* grad_out,
                   const AttentionBlockGradients& to, float* memory) {
  const BlockScratch scratch(memory, s);
  const HeadScratch head(scratch.head_memory, s.keys, s.token);
  const std::size_t token = s.token;
  fold(token, weights, scratch);
  transpose_square(token, scratch.scores, scratch.scores_t);
  transpose_square(token, scratch.mixing, scratch.mixing_t);
  const std::size_t query = s.queries * token;  // floats of a row
  const std::size_t key = s.keys * token;
  for_groups(s, [&](std::size_t first, std::size_t end) {
    for (std::size_t row = first; row < end; ++row) {
      head_backward(head_size(s), {saved.queries + row * query, token}, {x_kv + row * key, token},
                    {saved.values + row * key, token}, head_dropout(s, dropout, row),
                    saved.softmax_weights + row * row_weight_floats(s),
                    {grad_out + row * query, token},
                    {{scratch.queries + (row - first) * query, token},
                     {to.x_kv.data == nullptr ? scratch.keys : to.x_kv.data + row * key, token},
                     {scratch.values + (row - first) * key, token},
                     false,
                     to.x_kv.data != nullptr && to.x_kv.accumulate,
                     false},
                    head);
    }
    const std::size_t queries = (end - first) * s.queries;  // tokens
    const std::size_t keys = (end - first) * s.keys;
    const bool later = first > 0;
    small_gemm(token, token, queries, {x_q + first * query, 1, token}, {scratch.queries, token},
               {scratch.grad_scores, token}, later);
    small_gemm(token, token, keys, {x_kv + first * key, 1, token}, {scratch.values, token},
               {scratch.grad_mixing, token}, later);
    sum_tokens(queries, token, scratch.queries, later, scratch.grad_scores_shift);
    sum_tokens(keys, token, scratch.values, later, scratch.grad_mixing_shift);
    if (to.output.bias.data != nullptr) {
      sum_tokens(queries, token, grad_out + first * query, later || to.output.bias.accumulate,
                 to.output.bias.data);
    }
    if (to.x_q.data != nullptr) {
      small_gemm(queries, token, token, {scratch.queries, token, 1}, {scratch.scores_t, token},
                 {to.x_q.data + first * query, token}, to.x_q.accumulate);
    }
    if (to.x_kv.data != nullptr) {
      small_gemm<Start::kAccumulate>(keys, token, token, {scratch.values, token, 1},
                                     {scratch.mixing_t, token},
                                     {to.x_kv.data + first * key, token});
    }
  });
  unfold(token, weights, scratch, to);
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(BlockScratchFloats);
HWY_EXPORT(Block);
HWY_EXPORT(BlockBackward);

namespace {

// Two projections, scores and weighted sum. Backward does twice as much.
double forward_flop(const AttentionBlockShape& s) {
  const std::size_t projections = 2 * (s.queries + s.keys) * s.token * s.token;
  return static_cast<double>(s.rows * (projections + 4 * s.queries * s.keys * s.token));
}

}  // namespace

std::size_t attention_block_scratch_floats(const AttentionBlockShape& shape) {
  return HWY_DYNAMIC_DISPATCH(BlockScratchFloats)(shape);
}

void attention_block(const AttentionBlockShape& shape, const float* x_q, const float* x_kv,
                     const AttentionBlockWeights& weights, const AttentionDropout& dropout,
                     float* out, const AttentionBlockSaved* saved, float* scratch) {
  const profile::Scope scope("attention", forward_flop(shape));
  HWY_DYNAMIC_DISPATCH(Block)(shape, x_q, x_kv, weights, dropout, out, saved, scratch);
}

void attention_block_backward(const AttentionBlockShape& shape, const float* x_q, const float* x_kv,
                              const AttentionBlockWeights& weights, const AttentionDropout& dropout,
                              const AttentionBlockSaved& saved, const float* grad_out,
                              const AttentionBlockGradients& gradients, float* scratch) {
  const profile::Scope scope("attention", 2.0 * forward_flop(shape));
  HWY_DYNAMIC_DISPATCH(BlockBackward)
  (shape, x_q, x_kv, weights, dropout, saved, grad_out, gradients, scratch);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
