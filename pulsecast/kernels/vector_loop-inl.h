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

// A sum over contiguous floats whose bits do not depend on the width of vectors: number i is added
// to sum i % 16, and those are added by halves.
class FixedSum {
 public:
  static constexpr std::size_t kSums = 16;
  static constexpr std::size_t kParts = kSums / hn::MaxLanes(FloatTag());

  FixedSum() {
    for (FloatVector& part : parts_) part = hn::Zero(FloatTag());
  }
  HWY_INLINE void add(std::size_t part, FloatVector value) {
    parts_[part] = hn::Add(parts_[part], value);
  }
  HWY_INLINE void add_product(std::size_t part, FloatVector a, FloatVector b) {
    parts_[part] = hn::MulAdd(a, b, parts_[part]);
  }
  HWY_INLINE float total() const {
    FloatVector parts[kParts];
    for (std::size_t p = 0; p < kParts; ++p) parts[p] = parts_[p];
    for (std::size_t half = kParts / 2; half > 0; half /= 2) {
      for (std::size_t p = 0; p < half; ++p) parts[p] = hn::Add(parts[p], parts[p + half]);
    }
    return add_halves(FloatTag(), parts[0]);
  }

 private:
#if HWY_TARGET == HWY_SCALAR  // has no halves
  static HWY_INLINE float add_halves(FloatTag, FloatVector v) { return hn::GetLane(v); }
#else
  template <class D>
  static HWY_INLINE float add_halves(D, hn::Vec<D> v) {
    if constexpr (hn::MaxLanes(D()) == 1) {
      return hn::GetLane(v);
    } else {
      const hn::Half<D> half;
      return add_halves(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
  }
#endif

  FloatVector parts_[kParts];
};

// body(offset, part of a FixedSum, lanes) for each vector of [0, count).
template <class Body>
HWY_INLINE void for_summed(std::size_t count, Body body) {
  constexpr std::size_t L = hn::MaxLanes(FloatTag());
  std::size_t i = 0;
  for (; i + FixedSum::kSums <= count; i += FixedSum::kSums) {
    for (std::size_t p = 0; p < FixedSum::kParts; ++p) body(i + p * L, p, WholeVector{});
  }
  for (std::size_t p = 0; p < FixedSum::kParts; ++p, i += L) {
    if (i + L <= count) {
      body(i, p, WholeVector{});
    } else if (i < count) {
      body(i, p, PartialVector{hn::FirstN(FloatTag(), count - i)});
    }
  }
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_VECTOR_LOOP_INL_H_
