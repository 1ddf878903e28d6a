#include "pulsecast/kernels/pointwise/blend.h"

#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/blend.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/attention/lane_softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// Queries whose weights are held at once: enough that adding to the gradient of a token is worth
// its load and store.
constexpr std::size_t kQueryBlock = 8;

// Memory of one group of rows, in lanes, handed out piece by piece.
class LaneMemory {
 public:
  explicit LaneMemory(float* at) : at_(at) {}
  float* take(std::size_t count) { return std::exchange(at_, at_ + count * kRowSums); }
  static std::size_t floats(std::size_t count) { return count * kRowSums; }

 private:
  float* at_;
};

std::size_t map_size(const BlendShape& s) { return (s.asked + 1) * s.matched; }

std::size_t BlendScratchFloats(const BlendShape& s) {
  return LaneMemory::floats(2 * s.queries * s.query_token + 2 * s.keys * s.token +
                            s.queries * (s.token + s.matched) + 2 * kQueryBlock * s.keys +
                            map_size(s));
}

// What a group of rows keeps: queries (queries, matched) and weights (queries, keys).
std::size_t saved_of_group(const BlendShape& s) {
  return s.queries * (s.matched + s.keys) * row_lanes();
}

std::size_t BlendSavedFloats(const BlendShape& s) {
  return (s.rows + row_lanes() - 1) / row_lanes() * saved_of_group(s);
}

// Matrices of a group of rows, and of what they share.
struct BlendViews {
  explicit BlendViews(const BlendShape& shape) : s(shape), L(row_lanes()) {}
  LaneMatrix asking(const float* data) const { return {data, s.query_token * L, L}; }
  LaneMatrix tokens(const float* data) const { return {data, s.token * L, L}; }
  LaneMatrix queries(const float* data) const { return {data, s.matched * L, L}; }
  LaneMatrix weights(const float* data) const { return {data, s.keys * L, L}; }
  LaneOutput to_asking(float* data) const { return {data, s.query_token * L, L}; }
  LaneOutput to_tokens(float* data) const { return {data, s.token * L, L}; }
  LaneOutput to_queries(float* data) const { return {data, s.matched * L, L}; }
  LaneOutput to_weights(float* data) const { return {data, s.keys * L, L}; }
  SharedMatrix map(const float* data) const { return {data, s.token, 1}; }

  const BlendShape& s;
  std::size_t L;
};

// body(first row, rows) for each group of rows.
template <class Body>
HWY_INLINE void for_groups(const BlendShape& s, Body body) {
  const std::size_t L = row_lanes();
  for (std::size_t first = 0; first < s.rows; first += L) body(first, std::min(L, s.rows - first));
}

// body(first query, queries) for each block of queries.
template <class Body>
HWY_INLINE void for_query_blocks(const BlendShape& s, Body body) {
  for (std::size_t first = 0; first < s.queries; first += kQueryBlock) {
    body(first, std::min(kQueryBlock, s.queries - first));
  }
}

void Blend(const BlendShape& s, const float* x_q, const float* x, const float* map,
           const AttentionDropout& dropout, float* out, float* saved, float* scratch) {
  const LaneTag d;
  const std::size_t L = row_lanes();
  const BlendViews views(s);
  LaneMemory memory(scratch);
  float* asking = memory.take(s.queries * s.query_token);
  float* tokens = memory.take(s.keys * s.token);
  float* mixed = memory.take(s.queries * s.token);
  float* multipliers = memory.take(kQueryBlock * s.keys);
  float* own_queries = memory.take(s.queries * s.matched);
  float* own_weights = memory.take(kQueryBlock * s.keys);
  for (std::size_t i = 0; i < s.queries * s.token; ++i) {
    hn::Store(hn::Set(d, i % s.token == s.mixed ? 1.0f : 0.0f), d, mixed + i * L);
  }
  const float* shift = map + s.asked * s.token;
  for_groups(s, [&](std::size_t row, std::size_t rows) {
    float* kept = saved == nullptr ? nullptr : saved + row / L * saved_of_group(s);
    float* queries = kept == nullptr ? own_queries : kept;
    float* kept_weights = queries + s.queries * s.matched * L;
    const LaneDropout drop(dropout, row, s.queries, s.keys);
    to_lanes(rows, s.queries * s.query_token, x_q + row * s.queries * s.query_token, asking);
    to_lanes(rows, s.keys * s.token, x + row * s.keys * s.token, tokens);
    for (std::size_t i = 0; i < s.queries * s.matched; ++i) {
      hn::Store(hn::Set(d, shift[i % s.matched]), d, queries + i * L);
    }
    lane_product(s.queries, s.matched, s.asked, views.asking(asking), views.map(map), true,
                 views.to_queries(queries));
    for_query_blocks(s, [&](std::size_t first, std::size_t count) {
      float* weights = kept == nullptr ? own_weights : kept_weights + first * s.keys * L;
      lane_product(count, s.keys, s.matched, views.queries(queries + first * s.matched * L),
                   views.tokens(tokens).transposed(), false, views.to_weights(weights));
      for (std::size_t i = 0; i < count; ++i) {
        float* of_query = weights + i * s.keys * L;
        softmax_in_lanes(s.keys, s.scale, of_query);
        if (dropout.rate > 0.0f) drop.apply(first + i, of_query, multipliers + i * s.keys * L);
      }
      lane_product(count, s.mixed, s.keys,
                   views.weights(dropout.rate > 0.0f ? multipliers : weights), views.tokens(tokens),
                   false, views.to_tokens(mixed + first * s.token * L));
    });
    from_lanes(rows, s.queries * s.token, mixed, false, out + row * s.queries * s.token);
  });
}

// The sums of the lanes of the map's gradient, by halves.
void put_map_gradient(const BlendShape& s, float* sums, Gradient to) {
  for (std::size_t i = 0; i < map_size(s); ++i) {
    float* lanes = sums + i * kRowSums;
    for (std::size_t half = kRowSums / 2; half > 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    }
    float& at = to.data[i / s.matched * s.token + i % s.matched];
    at = to.accumulate ? at + lanes[0] : lanes[0];
  }
}

void BlendBackward(const BlendShape& s, const float* x_q, const float* x, const float* map,
                   const AttentionDropout& dropout, const float* saved, const float* grad_out,
                   const BlendGradients& to, float* scratch) {
  const std::size_t L = row_lanes();
  const BlendViews views(s);
  LaneMemory memory(scratch);
  float* asking = memory.take(s.queries * s.query_token);
  float* grad_asking = memory.take(s.queries * s.query_token);
  float* tokens = memory.take(s.keys * s.token);
  float* grad_tokens = memory.take(s.keys * s.token);
  float* grad_mixed = memory.take(s.queries * s.token);
  float* grad_queries = memory.take(s.queries * s.matched);
  float* multipliers = memory.take(kQueryBlock * s.keys);
  float* slopes = memory.take(kQueryBlock * s.keys);
  float* map_sums = memory.take(map_size(s));
  std::fill_n(map_sums, map_size(s) * kRowSums, 0.0f);
  // Columns that no product below writes.
  std::fill_n(grad_asking, s.queries * s.query_token * L, 0.0f);
  std::fill_n(grad_tokens, s.keys * s.token * L, 0.0f);
  const float keep = dropout.rate > 0.0f ? Mask(dropout.rate).keep() : 1.0f;
  for_groups(s, [&](std::size_t row, std::size_t rows) {
    const float* queries = saved + row / L * saved_of_group(s);
    const float* weights = queries + s.queries * s.matched * L;
    to_lanes(rows, s.keys * s.token, x + row * s.keys * s.token, tokens);
    to_lanes(rows, s.queries * s.token, grad_out + row * s.queries * s.token, grad_mixed);
    for_query_blocks(s, [&](std::size_t first, std::size_t count) {
      const LaneMatrix grads = views.tokens(grad_mixed + first * s.token * L);
      lane_product(count, s.keys, s.mixed, grads, views.tokens(tokens).transposed(), false,
                   views.to_weights(slopes));
      for (std::size_t i = 0; i < count; ++i) {
        softmax_backward_in_lanes(s.keys, s.scale, keep, weights + (first + i) * s.keys * L,
                                  multipliers + i * s.keys * L, slopes + i * s.keys * L);
      }
      lane_product(count, s.matched, s.keys, views.weights(slopes), views.tokens(tokens), false,
                   views.to_queries(grad_queries + first * s.matched * L));
      if (to.x.data == nullptr) return;
      lane_product(s.keys, s.mixed, count, views.weights(multipliers).transposed(), grads,
                   first > 0, views.to_tokens(grad_tokens));
      lane_product(s.keys, s.matched, count, views.weights(slopes).transposed(),
                   views.queries(queries + first * s.matched * L), true,
                   views.to_tokens(grad_tokens));
    });
    if (to.x.data != nullptr) {
      from_lanes(rows, s.keys * s.token, grad_tokens, to.x.accumulate,
                 to.x.data + row * s.keys * s.token);
    }
    if (to.x_q.data != nullptr) {
      lane_product(s.queries, s.asked, s.matched, views.queries(grad_queries),
                   views.map(map).transposed(), false, views.to_asking(grad_asking));
      from_lanes(rows, s.queries * s.query_token, grad_asking, to.x_q.accumulate,
                 to.x_q.data + row * s.queries * s.query_token);
    }
    if (to.map.data != nullptr) {
      float* sums = map_sums + row % kRowSums;
      to_lanes(rows, s.queries * s.query_token, x_q + row * s.queries * s.query_token, asking);
      lane_product(s.asked, s.matched, s.queries, views.asking(asking).transposed(),
                   views.queries(grad_queries), true, {sums, s.matched * kRowSums, kRowSums});
      static constexpr float kOne = 1.0f;
      lane_product(s.matched, 1, s.queries, views.queries(grad_queries).transposed(),
                   SharedMatrix{&kOne, 0, 0}, true,
                   {sums + s.asked * s.matched * kRowSums, kRowSums, 0});
    }
  });
  if (to.map.data != nullptr) put_map_gradient(s, map_sums, to.map);
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(BlendScratchFloats);
HWY_EXPORT(BlendSavedFloats);
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

std::size_t blend_saved_floats(const BlendShape& shape) {
  return HWY_DYNAMIC_DISPATCH(BlendSavedFloats)(shape);
}

void blend(const BlendShape& shape, const float* x_q, const float* x, const float* map,
           const AttentionDropout& dropout, float* out, float* saved, float* scratch) {
  const profile::Scope scope("attention", forward_flop(shape));
  HWY_DYNAMIC_DISPATCH(Blend)(shape, x_q, x, map, dropout, out, saved, scratch);
}

void blend_backward(const BlendShape& shape, const float* x_q, const float* x, const float* map,
                    const AttentionDropout& dropout, const float* saved, const float* grad_out,
                    const BlendGradients& gradients, float* scratch) {
  const profile::Scope scope("attention", 2.0 * forward_flop(shape));
  HWY_DYNAMIC_DISPATCH(BlendBackward)
  (shape, x_q, x, map, dropout, saved, grad_out, gradients, scratch);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
