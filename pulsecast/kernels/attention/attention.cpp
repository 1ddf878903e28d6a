#include "pulsecast/kernels/attention/attention.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/attention/attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/attention/attention_head-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

HeadSize head_size(const AttentionShape& s) {
  return {s.queries,  s.keys,  s.width,
          s.width,    s.width, 1.0f / std::sqrt(static_cast<float>(s.width)),
          s.is_causal};
}

HeadDropout head_dropout(const AttentionShape& s, const AttentionDropout& dropout, std::size_t row,
                         std::size_t head) {
  return {dropout.rate > 0.0f ? &dropout.stream : nullptr, dropout.rate,
          dropout.first_mask_row + ((dropout.first_row + row) * s.heads + head) * s.queries};
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
        head_dropout(s, dropout, row, head), nullptr, {out + column, token},
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

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(WeightFloats);
HWY_EXPORT(ScratchFloats);
HWY_EXPORT(Attention);
HWY_EXPORT(AttentionBackward);

std::size_t attention_weight_floats(const AttentionShape& shape) {
  return HWY_DYNAMIC_DISPATCH(WeightFloats)(shape);
}

std::size_t attention_scratch_floats(const AttentionShape& shape) {
  return HWY_DYNAMIC_DISPATCH(ScratchFloats)(shape);
}

void attention(const AttentionShape& shape, const float* q, const float* k, const float* v,
               const AttentionDropout& dropout, float* out, float* softmax_weights,
               float* scratch) {
  const profile::Scope scope("attention");
  HWY_DYNAMIC_DISPATCH(Attention)(shape, q, k, v, dropout, out, softmax_weights, scratch);
}

void attention_backward(const AttentionShape& shape, const float* q, const float* k, const float* v,
                        const AttentionDropout& dropout, const float* softmax_weights,
                        const float* grad_out, const AttentionGradients& gradients,
                        float* scratch) {
  const profile::Scope scope("attention");
  HWY_DYNAMIC_DISPATCH(AttentionBackward)
  (shape, q, k, v, dropout, softmax_weights, grad_out, gradients, scratch);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
