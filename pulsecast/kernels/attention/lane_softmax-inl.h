// Softmax and dropout of attention's weights for many rows at once, one in each lane
// (row_lanes-inl.h). Included once per SIMD target.
//
// Weights of a query are `keys` vectors one behind the other. Forward keeps them for backward, each
// with its sign bit set where dropout took it out.

#if defined(PULSECAST_KERNELS_LANE_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_LANE_SOFTMAX_INL_H_
#undef PULSECAST_KERNELS_LANE_SOFTMAX_INL_H_
#else
#define PULSECAST_KERNELS_LANE_SOFTMAX_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pulsecast/kernels/attention/attention.h"
#include "pulsecast/kernels/attention/row_lanes-inl.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/pointwise/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {

// Scores of one query, in place, to weights that sum to one.
HWY_INLINE void softmax_in_lanes(std::size_t keys, float scale, float* scores) {
  const LaneTag d;
  const std::size_t L = row_lanes();
  LaneVector largest = hn::Load(d, scores);
  for (std::size_t j = 1; j < keys; ++j) largest = hn::Max(largest, hn::Load(d, scores + j * L));
  const auto factor = hn::Set(d, scale);
  const auto shift = hn::Mul(largest, factor);
  LaneVector sum = hn::Zero(d);
  for (std::size_t j = 0; j < keys; ++j) {
    const auto e = exp_vector(d, hn::MulSub(hn::Load(d, scores + j * L), factor, shift));
    sum = hn::Add(sum, e);
    hn::Store(e, d, scores + j * L);
  }
  const auto inverse = hn::Div(hn::Set(d, 1.0f), sum);
  for (std::size_t j = 0; j < keys; ++j) {
    hn::Store(hn::Mul(hn::Load(d, scores + j * L), inverse), d, scores + j * L);
  }
}

// Dropout of a group of rows that begins at row first_row of a call.
class LaneDropout {
 public:
  LaneDropout(const AttentionDropout& dropout, std::size_t first_row, std::size_t queries,
              std::size_t keys)
      : stream_(dropout.stream), mask_(dropout.rate), keys_(keys) {
    for (std::size_t lane = 0; lane < row_lanes(); ++lane) {
      indices_[lane % 2][lane / 2] = ((dropout.first_row + first_row + lane) * queries) << 16;
    }
  }

  // Weights of query i: those that it takes out become negative; what is left, scaled, goes to
  // multipliers.
  HWY_INLINE void apply(std::size_t i, float* weights, float* multipliers) const {
    const LaneTag d;
    const std::size_t L = row_lanes();
    const auto keep_scale = hn::Set(d, mask_.keep());
    const auto put = [&](std::size_t j, auto numbers) {
      const auto keep = mask_.keeps(d, numbers);
      const auto weight = hn::Load(d, weights + j * L);
      hn::Store(hn::IfThenElse(keep, weight, hn::Neg(weight)), d, weights + j * L);
      hn::Store(hn::IfThenElseZero(keep, hn::Mul(weight, keep_scale)), d, multipliers + j * L);
    };
    const hn::RebindToUnsigned<LaneTag> du;
    const hn::RebindToSigned<LaneTag> di;
    for (std::size_t first = 0; first < keys_; first += kMaskValuesPerBlock) {
      hn::Vec<decltype(du)> words[4];
      draw((static_cast<std::uint64_t>(i) << 16) + first / kMaskValuesPerBlock, words);
      const std::size_t end = std::min(keys_, first + kMaskValuesPerBlock);
      for (std::size_t j = first, w = 0; j < end; j += 2, ++w) {
        put(j, hn::BitCast(di, hn::And(words[w], hn::Set(du, 0xFFFFu))));
        if (j + 1 < end) put(j + 1, hn::BitCast(di, hn::ShiftRight<16>(words[w])));
      }
    }
  }

 private:
  // The words of block `block` of every row.
  template <class V>
  HWY_INLINE void draw(std::uint64_t block, V (&words)[4]) const {
    const hn::RebindToUnsigned<LaneTag> du;
#if HWY_TARGET == HWY_SCALAR
    const random::Block drawn = random::block(stream_, indices_[0][0] + block);
    for (std::size_t w = 0; w < 4; ++w) words[w] = hn::Set(du, drawn[w]);
#else
    const hn::RepartitionToWide<decltype(du)> d64;
    const auto at = hn::Set(d64, block);
    draw_blocks(du, stream_, hn::Add(hn::Load(d64, indices_[0]), at),
                hn::Add(hn::Load(d64, indices_[1]), at), words);
#endif
  }

  random::Stream stream_;
  Mask mask_;
  std::size_t keys_;
  HWY_ALIGN std::uint64_t indices_[2][(kRowSums + 1) / 2];  // of even lanes, and of odd ones
};

// With p the weights of a query before dropout, m the mask and g the gradient of what multiplies
// the tokens (in slopes): the gradient of a score is p (m g - sum of p m g), times the scale.
HWY_INLINE void softmax_backward_in_lanes(std::size_t keys, float scale, float keep,
                                          const float* weights, float* multipliers, float* slopes) {
  const LaneTag d;
  const hn::RebindToSigned<LaneTag> di;
  const std::size_t L = row_lanes();
  const auto kept = hn::Set(d, keep);
  LaneVector dot = hn::Zero(d);
  for (std::size_t at = 0; at < keys * L; at += L) {
    const auto weight = hn::Load(d, weights + at);
    const auto taken = hn::RebindMask(d, hn::Lt(hn::BitCast(di, weight), hn::Zero(di)));
    const auto mask = hn::IfThenZeroElse(taken, kept);
    const auto p = hn::Abs(weight);
    const auto g = hn::Mul(mask, hn::Load(d, slopes + at));
    dot = hn::MulAdd(p, g, dot);
    hn::Store(hn::Mul(mask, p), d, multipliers + at);
    hn::Store(g, d, slopes + at);
  }
  const auto factor = hn::Set(d, scale);
  for (std::size_t at = 0; at < keys * L; at += L) {
    const auto p = hn::Mul(hn::Abs(hn::Load(d, weights + at)), factor);
    hn::Store(hn::Mul(p, hn::Sub(hn::Load(d, slopes + at), dot)), d, slopes + at);
  }
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_LANE_SOFTMAX_INL_H_
