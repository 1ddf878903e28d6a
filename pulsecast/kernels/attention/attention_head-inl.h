// One head of one row of attention, forward and backward, inside the first- and second-level cache.
// Included once per SIMD target.
//
// Forward keeps the weights for backward, each with its sign bit set where dropout took it out: a
// weight is an exponential, so the sign is free to carry that. Making the weights again in backward
// would save their memory and cost an eighth of the time.

#if defined(PULSECAST_KERNELS_ATTENTION_HEAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_ATTENTION_HEAD_INL_H_
#undef PULSECAST_KERNELS_ATTENTION_HEAD_INL_H_
#else
#define PULSECAST_KERNELS_ATTENTION_HEAD_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "pulsecast/kernels/attention/attention.h"
#include "pulsecast/kernels/math-inl.h"
#include "pulsecast/kernels/pointwise/dropout-inl.h"
#include "pulsecast/kernels/products/small_gemm-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {

// Queries whose weights are held at once.
inline constexpr std::size_t kQueryBlock = 32;

inline std::size_t whole_vectors(std::size_t count) {
  const std::size_t L = hn::Lanes(hn::ScalableTag<float>());
  return (count + L - 1) / L * L;
}

// Scratch of one thread for heads of one shape.
class HeadScratch {
 public:
  static std::size_t floats(std::size_t keys, std::size_t width) {
    const std::size_t padded = whole_vectors(keys);
    const std::size_t bits = mask_capacity(kQueryBlock, keys) / 2 + 1;
    return 2 * width * padded + 2 * kQueryBlock * padded + whole_vectors(bits);
  }

  HeadScratch(float* memory, std::size_t keys, std::size_t width) : stride(whole_vectors(keys)) {
    keys_t = memory;
    values_t = keys_t + width * stride;
    weights = values_t + width * stride;
    slopes = weights + kQueryBlock * stride;
    bits = reinterpret_cast<std::uint16_t*>(slopes + kQueryBlock * stride);
  }

  std::size_t stride;   // floats from one row to the next of everything below
  float* keys_t;        // (width, keys), forward only
  float* values_t;      // (width, keys), backward only
  float* weights;       // (kQueryBlock, keys)
  float* slopes;        // (kQueryBlock, keys), backward only
  std::uint16_t* bits;  // (kQueryBlock, keys), dropout only
};

// Dropout of one head of one row: query i draws mask row first_row + i.
struct HeadDropout {
  const random::Stream* stream;  // null: none
  float rate;
  std::uint64_t first_row;
};

struct HeadSize {
  std::size_t queries;
  std::size_t keys;
  std::size_t width;    // of queries, keys and values, of which
  std::size_t matched;  // the first so many of a query meet those of a key,
  std::size_t mixed;    // and behind so many those of a value are zero
  float scale;
  bool is_causal;  // query i has no weight for the keys behind key i
};

// Scores of one query, in place, to weights that sum to one.
HWY_INLINE void softmax_row(std::size_t keys, float scale, float* row) {
  const hn::ScalableTag<float> d;
  const auto lowest = hn::Set(d, hwy::LowestValue<float>());
  auto largest = lowest;
  for_vectors(keys, [&](std::size_t j, auto lanes) {
    largest = hn::Max(largest, lanes.valid_or(hn::Load(d, row + j), lowest));
  });
  const auto factor = hn::Set(d, scale);
  const auto shift = hn::Mul(hn::MaxOfLanes(d, largest), factor);
  FixedSum sum;
  for_summed(keys, [&](std::size_t j, std::size_t part, auto lanes) {
    const auto e = exp_vector(d, hn::MulSub(hn::Load(d, row + j), factor, shift));
    sum.add(part, lanes.valid_or(e, hn::Zero(d)));
    hn::Store(e, d, row + j);
  });
  const auto inverse = hn::Set(d, 1.0f / sum.total());
  for_vectors(keys, [&](std::size_t j, auto) {
    hn::Store(hn::Mul(hn::Load(d, row + j), inverse), d, row + j);
  });
}

// out (queries, width) = dropout(softmax(scale * q k')) v, plus bias (width) where it is not null.
// `saved` (queries, scratch.stride) receives the weights; in inference it is null.
HWY_INLINE void head_forward(const HeadSize& size, Rows q, Rows k, Rows v,
                             const HeadDropout& dropout, const float* bias, OutputRows out,
                             float* saved, const HeadScratch& scratch) {
  const hn::ScalableTag<float> d;
  const std::size_t stride = scratch.stride;
  const Mask mask(dropout.rate);
  small_transpose(size.keys, size.matched, k, {scratch.keys_t, stride}, stride);
  for (std::size_t first = 0; first < size.queries; first += kQueryBlock) {
    const std::size_t count = std::min(kQueryBlock, size.queries - first);
    float* weights = saved == nullptr ? scratch.weights : saved + first * stride;
    small_gemm<Start::kZero>(count, stride, size.matched, {q.data + first * q.row, q.row, 1},
                             {scratch.keys_t, stride}, {weights, stride});
    for (std::size_t i = 0; i < count; ++i) {
      float* row = weights + i * stride;
      const std::size_t seen = size.is_causal ? std::min(first + i + 1, size.keys) : size.keys;
      softmax_row(seen, size.scale, row);
      if (seen < size.keys) std::fill(row + seen, row + stride, 0.0f);
    }
    const float* multipliers = weights;
    if (dropout.stream != nullptr) {
      multipliers = scratch.weights;
      mask_bits(*dropout.stream, dropout.first_row + first, count, size.keys, scratch.bits);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t* bits = scratch.bits + i * mask_row_stride(size.keys);
        for_vectors(size.keys, [&](std::size_t j, auto) {
          const auto keep = mask.keeps(d, bits + j);
          const auto weight = hn::Load(d, weights + i * stride + j);
          hn::Store(hn::IfThenElse(keep, weight, hn::Neg(weight)), d, weights + i * stride + j);
          hn::Store(hn::IfThenElseZero(keep, hn::Mul(weight, hn::Set(d, mask.keep()))), d,
                    scratch.weights + i * stride + j);
        });
      }
    }
    const OutputRows to{out.data + first * out.row, out.row};
    if (bias == nullptr) {
      small_gemm<Start::kZero>(count, size.width, size.keys, {multipliers, stride, 1}, v, to);
    } else {
      small_gemm<Start::kBias>(count, size.width, size.keys, {multipliers, stride, 1}, v, to, bias);
    }
  }
}

struct HeadGradients {
  OutputRows q;
  OutputRows k;
  OutputRows v;
  bool accumulate_q;
  bool accumulate_k;
  bool accumulate_v;
};

// `saved` from head_forward with the same dropout.
HWY_INLINE void head_backward(const HeadSize& size, Rows q, Rows k, Rows v,
                              const HeadDropout& dropout, const float* saved, Rows grad_out,
                              const HeadGradients& to, const HeadScratch& scratch) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t stride = scratch.stride;
  const auto scale = hn::Set(d, size.scale);
  const auto keep = hn::Set(d, dropout.stream == nullptr ? 1.0f : Mask(dropout.rate).keep());
  small_transpose(size.keys, size.mixed, v, {scratch.values_t, stride}, stride);
  for (std::size_t first = 0; first < size.queries; first += kQueryBlock) {
    const std::size_t count = std::min(kQueryBlock, size.queries - first);
    const Rows grads{grad_out.data + first * grad_out.row, grad_out.row};
    small_gemm<Start::kZero>(count, stride, size.mixed, {grads.data, grads.row, 1},
                             {scratch.values_t, stride}, {scratch.slopes, stride});
    for (std::size_t i = 0; i < count; ++i) {
      // With p the weights before dropout, m the mask and g the gradient of what multiplies v:
      // the gradient of a score is p (m g - sum of p m g), times the scale.
      const float* saved_row = saved + (first + i) * stride;
      float* multipliers = scratch.weights + i * stride;
      float* slopes = scratch.slopes + i * stride;
      FixedSum sum;
      for_summed(size.keys, [&](std::size_t j, std::size_t part, auto lanes) {
        const auto weight = hn::Load(d, saved_row + j);
        const auto taken = hn::Lt(hn::BitCast(di, weight), hn::Zero(di));
        const auto mask = hn::IfThenZeroElse(hn::RebindMask(d, taken), keep);
        const auto p = lanes.valid_or(hn::Abs(weight), hn::Zero(d));
        const auto g = hn::Mul(mask, hn::Load(d, slopes + j));
        sum.add_product(part, p, g);
        hn::Store(hn::Mul(mask, p), d, multipliers + j);
        hn::Store(g, d, slopes + j);
      });
      const auto dot = hn::Set(d, sum.total());
      for_vectors(size.keys, [&](std::size_t j, auto) {
        const auto p = hn::Abs(hn::Load(d, saved_row + j));
        hn::Store(hn::Mul(hn::Mul(p, scale), hn::Sub(hn::Load(d, slopes + j), dot)), d, slopes + j);
      });
    }
    const bool later_block = first > 0;
    small_gemm(count, size.width, size.keys, {scratch.slopes, stride, 1}, k,
               {to.q.data + first * to.q.row, to.q.row}, to.accumulate_q);
    small_gemm(size.keys, size.width, count, {scratch.slopes, 1, stride},
               {q.data + first * q.row, q.row}, to.k, later_block || to.accumulate_k);
    small_gemm(size.keys, size.width, count, {scratch.weights, 1, stride}, grads, to.v,
               later_block || to.accumulate_v);
  }
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_ATTENTION_HEAD_INL_H_
