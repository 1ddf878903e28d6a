#include "pulsecast/kernels/pointwise/blend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/blend.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/attention/attention_head-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// Tokens that go through the map together. A row of its own would be too short: of six tokens, the
// product that sums a gradient of the map loads and stores the whole of it for six multiply-adds.
constexpr std::size_t kGroupTokens = 96;

// Rows whose tokens go together.
std::size_t rows_of_group(const BlendShape& s) {
  return std::max<std::size_t>(1, kGroupTokens / std::max(s.queries, s.keys));
}

// What a group of rows needs beside its input and output.
class BlendScratch {
 public:
  BlendScratch(float* memory, const BlendShape& s)
      : queries(memory),
        keys(queries + query_floats(s)),
        map_t(keys + key_floats(s)),
        behind(map_t + map_floats(s)),
        head(behind + whole_vectors(s.token)) {}
  static std::size_t floats(const BlendShape& s) {
    return query_floats(s) + key_floats(s) + map_floats(s) + whole_vectors(s.token) +
           HeadScratch::floats(s.keys, s.token);
  }

  float* queries;  // (queries, token) of each row: x_q map + shift, or its gradient
  float* keys;     // (keys, token) of a row: a gradient of x that nobody wants
  float* map_t;    // (matched, query_token): map' without the shift, then zeros
  float* behind;   // (token): what follows the mixed columns
  float* head;

 private:
  static std::size_t query_floats(const BlendShape& s) {
    return whole_vectors(rows_of_group(s) * s.queries * s.token);
  }
  static std::size_t key_floats(const BlendShape& s) { return whole_vectors(s.keys * s.token); }
  static std::size_t map_floats(const BlendShape& s) {
    return whole_vectors(s.matched * s.query_token);
  }
};

std::size_t BlendScratchFloats(const BlendShape& s) { return BlendScratch::floats(s); }

HeadSize head_size(const BlendShape& s) {
  return {s.queries, s.keys, s.token, s.matched, s.mixed, s.scale};
}

HeadDropout head_dropout(const BlendShape& s, const AttentionDropout& dropout, std::size_t row) {
  return {dropout.rate > 0.0f ? &dropout.stream : nullptr, dropout.rate,
          (dropout.first_row + row) * s.queries};
}

std::size_t row_weight_floats(const BlendShape& s) { return s.queries * whole_vectors(s.keys); }

// body(first, end) for each group of rows.
template <class Body>
HWY_INLINE void for_groups(const BlendShape& s, Body body) {
  const std::size_t group = rows_of_group(s);
  for (std::size_t first = 0; first < s.rows; first += group) {
    body(first, std::min(s.rows, first + group));
  }
}

void Blend(const BlendShape& s, const float* x_q, const float* x, const float* map,
           const AttentionDropout& dropout, float* out, const BlendSaved* saved, float* memory) {
  const BlendScratch scratch(memory, s);
  const HeadScratch head(scratch.head, s.keys, s.token);
  std::fill_n(scratch.behind, s.token, 0.0f);
  if (s.mixed < s.token) scratch.behind[s.mixed] = 1.0f;
  const float* shift = map + s.asked * s.token;
  const std::size_t query = s.queries * s.token;  // floats of a row
  const std::size_t key = s.keys * s.token;
  for_groups(s, [&](std::size_t first, std::size_t end) {
    float* queries = saved == nullptr ? scratch.queries : saved->queries + first * query;
    small_gemm<Start::kBias>((end - first) * s.queries, s.token, s.asked,
                             {x_q + first * s.queries * s.query_token, s.query_token, 1},
                             {map, s.token}, {queries, s.token}, shift);
    for (std::size_t row = first; row < end; ++row) {
      const Rows tokens{x + row * key, s.token};
      head_forward(head_size(s), {queries + (row - first) * query, s.token}, tokens, tokens,
                   head_dropout(s, dropout, row), scratch.behind, {out + row * query, s.token},
                   saved == nullptr ? nullptr : saved->softmax_weights + row * row_weight_floats(s),
                   head);
    }
  });
}

void BlendBackward(const BlendShape& s, const float* x_q, const float* x, const float* map,
                   const AttentionDropout& dropout, const BlendSaved& saved, const float* grad_out,
                   const BlendGradients& to, float* memory) {
  static constexpr float kOne = 1.0f;
  const BlendScratch scratch(memory, s);
  const HeadScratch head(scratch.head, s.keys, s.token);
  small_transpose(s.asked, s.matched, {map, s.token}, {scratch.map_t, s.query_token},
                  s.query_token);
  const std::size_t query = s.queries * s.token;  // floats of a row
  const std::size_t key = s.keys * s.token;
  for_groups(s, [&](std::size_t first, std::size_t end) {
    for (std::size_t row = first; row < end; ++row) {
      const Rows tokens{x + row * key, s.token};
      const OutputRows grad_x{to.x.data == nullptr ? scratch.keys : to.x.data + row * key, s.token};
      head_backward(head_size(s), {saved.queries + row * query, s.token}, tokens, tokens,
                    head_dropout(s, dropout, row),
                    saved.softmax_weights + row * row_weight_floats(s),
                    {grad_out + row * query, s.token},
                    {{scratch.queries + (row - first) * query, s.token},
                     grad_x,
                     grad_x,
                     false,
                     to.x.data != nullptr && to.x.accumulate,
                     true},
                    head);
    }
    const std::size_t tokens = (end - first) * s.queries;
    const float* asking = x_q + first * s.queries * s.query_token;
    if (to.map.data != nullptr) {
      const bool later = first > 0 || to.map.accumulate;
      small_gemm(s.asked, s.token, tokens, {asking, 1, s.query_token}, {scratch.queries, s.token},
                 {to.map.data, s.token}, later);
      small_gemm(1, s.token, tokens, {&kOne, 0, 0}, {scratch.queries, s.token},
                 {to.map.data + s.asked * s.token, s.token}, later);
    }
    if (to.x_q.data != nullptr) {
      small_gemm(tokens, s.query_token, s.matched, {scratch.queries, s.token, 1},
                 {scratch.map_t, s.query_token},
                 {to.x_q.data + first * s.queries * s.query_token, s.query_token},
                 to.x_q.accumulate);
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(BlendScratchFloats);
HWY_EXPORT(Blend);
HWY_EXPORT(BlendBackward);

namespace {

// The map, scores and mixing, of the columns that are used. Backward does twice as much.
double forward_flop(const BlendShape& s) {
  const std::size_t row = s.queries * (s.asked * s.matched + s.keys * (s.matched + s.mixed));
  return 2.0 * static_cast<double>(s.rows * row);
}

}  // namespace

std::size_t blend_scratch_floats(const BlendShape& shape) {
  return HWY_DYNAMIC_DISPATCH(BlendScratchFloats)(shape);
}

void blend(const BlendShape& shape, const float* x_q, const float* x, const float* map,
           const AttentionDropout& dropout, float* out, const BlendSaved* saved, float* scratch) {
  const profile::Scope scope("attention", forward_flop(shape));
  HWY_DYNAMIC_DISPATCH(Blend)(shape, x_q, x, map, dropout, out, saved, scratch);
}

void blend_backward(const BlendShape& shape, const float* x_q, const float* x, const float* map,
                    const AttentionDropout& dropout, const BlendSaved& saved, const float* grad_out,
                    const BlendGradients& gradients, float* scratch) {
  const profile::Scope scope("attention", 2.0 * forward_flop(shape));
  HWY_DYNAMIC_DISPATCH(BlendBackward)
  (shape, x_q, x, map, dropout, saved, grad_out, gradients, scratch);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
