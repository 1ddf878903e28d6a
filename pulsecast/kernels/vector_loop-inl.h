// Loops over contiguous floats by vectors, the last one through a mask. Included once per SIMD
// target.

#if defined(PULSECAST_KERNELS_VECTOR_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_VECTOR_LOOP_INL_H_
#undef PULSECAST_KERNELS_VECTOR_LOOP_INL_H_
#else
#define PULSECAST_KERNELS_VECTOR_LOOP_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

// How the body of a loop reads and writes: whole vectors, or the first lanes of the last one.
struct WholeVector {
  HWY_INLINE FloatVector load(const float* from) const { return hn::LoadU(FloatTag(), from); }
  HWY_INLINE void store(FloatVector value, float* to) const { hn::StoreU(value, FloatTag(), to); }
  HWY_INLINE FloatVector valid_or(FloatVector value, FloatVector) const { return value; }
};
struct PartialVector {
  hn::Mask<FloatTag> mask;
  // Lanes past the end read as zero.
  HWY_INLINE FloatVector load(const float* from) const {
    return hn::MaskedLoad(mask, FloatTag(), from);
  }
  HWY_INLINE void store(FloatVector value, float* to) const {
    hn::BlendedStore(value, mask, FloatTag(), to);
  }
  HWY_INLINE FloatVector valid_or(FloatVector value, FloatVector otherwise) const {
    return hn::IfThenElse(mask, value, otherwise);
  }
};

// body(offset, lanes) for each vector of [0, count).
template <class Body>
HWY_INLINE void for_vectors(std::size_t count, Body body) {
  const std::size_t L = hn::Lanes(FloatTag());
  std::size_t i = 0;
  for (; i + L <= count; i += L) body(i, WholeVector{});
  if (i < count) body(i, PartialVector{hn::FirstN(FloatTag(), count - i)});
}

HWY_INLINE float sum_lanes(FloatVector v) { return hn::GetLane(hn::SumOfLanes(FloatTag(), v)); }

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_VECTOR_LOOP_INL_H_
