#include "pulsecast/kernels/pointwise/dropout.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/pointwise/dropout.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/pointwise/dropout-inl.h"
#include "pulsecast/kernels/vector_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// Random numbers are drawn for pieces of rows, so that they lie on the stack.
constexpr std::size_t kDrawn = 1024;

void Dropout(std::size_t rows, std::size_t width, const random::Stream& stream, float rate,
             std::uint64_t first_row, const float* x, float* y, float* scales) {
  const FloatTag d;
  const Mask mask(rate);
  const auto keep = hn::Set(d, mask.keep());
  // With what the last vectors of numbers write, and the last of the values read, past the end.
  HWY_ALIGN std::uint16_t
      bits[kDrawn + 2 * kMaskValuesPerBlock * hn::MaxLanes(hn::ScalableTag<std::uint32_t>())];
  const std::size_t stride = mask_row_stride(width);
  const std::size_t rows_at_once =
      std::max<std::size_t>(kDrawn / std::max<std::size_t>(stride, 1), 1);
  for (std::size_t row = 0; row < rows; row += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, rows - row);
    for (std::size_t first = 0; first < width; first += kDrawn) {
      const std::size_t piece = std::min(kDrawn, width - first);
      mask_bits(stream, first_row + row, count, first / kMaskValuesPerBlock, piece, bits);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = (row + i) * width + first;
        const std::uint16_t* own = bits + i * mask_row_stride(piece);
        for_vectors(piece, [&](std::size_t j, auto lanes) {
          const auto scale = hn::IfThenElseZero(mask.keeps(d, own + j), keep);
          lanes.store(scale, scales + at + j);
          lanes.store(hn::Mul(lanes.load(x + at + j), scale), y + at + j);
        });
      }
    }
  }
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Dropout);

void dropout(std::size_t rows, std::size_t width, const random::Stream& stream, float rate,
             std::uint64_t first_row, const float* x, float* y, float* scales) {
  const profile::Scope scope("dropout");
  HWY_DYNAMIC_DISPATCH(Dropout)(rows, width, stream, rate, first_row, x, y, scales);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
