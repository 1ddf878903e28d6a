// Dropout masks by the vector: the same bits as random::dropout_scale, many counters at a time.
// Included once per SIMD target.

#if defined(PULSECAST_KERNELS_DROPOUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_DROPOUT_INL_H_
#undef PULSECAST_KERNELS_DROPOUT_INL_H_
#else
#define PULSECAST_KERNELS_DROPOUT_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "pulsecast/base/random.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Eight 16-bit numbers a Philox block (see random::dropout_scale).
inline constexpr std::size_t kMaskValuesPerBlock = 8;

// Vectors of counters worked on at once.
inline constexpr std::size_t kMaskUnroll = 2;

inline std::size_t mask_row_stride(std::size_t elements) {
  return (elements + kMaskValuesPerBlock - 1) / kMaskValuesPerBlock * kMaskValuesPerBlock;
}

// Room for the masks of `rows` rows, with what the last vector writes past their end.
inline std::size_t mask_capacity(std::size_t rows, std::size_t elements) {
  return rows * mask_row_stride(elements) +
         kMaskUnroll * kMaskValuesPerBlock * hn::MaxLanes(hn::ScalableTag<std::uint32_t>());
}

#if HWY_TARGET == HWY_SCALAR

// The random 16-bit numbers behind the masks of rows [first_row, first_row + rows): of each row
// `elements` from block `first_block` of it on, mask_row_stride(elements) apart.
HWY_INLINE void mask_bits(const random::Stream& stream, std::uint64_t first_row, std::size_t rows,
                          std::size_t first_block, std::size_t elements, std::uint16_t* out) {
  const std::size_t blocks_per_row = mask_row_stride(elements) / kMaskValuesPerBlock;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t b = 0; b < blocks_per_row; ++b) {
      const std::uint64_t index = ((first_row + row) << 16) + first_block + b;
      for (const std::uint32_t word : random::block(stream, index)) {
        *out++ = static_cast<std::uint16_t>(word);
        *out++ = static_cast<std::uint16_t>(word >> 16);
      }
    }
  }
}

#else

// High and low half of multiplier * x, lane by lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void multiply_wide(D d, V x, std::uint32_t multiplier, V& high, V& low) {
  const hn::RepartitionToWide<D> d64;
  const V m = hn::Set(d, multiplier);
  const auto even = hn::MulEven(x, m);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, x))), m);
  high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
  low = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even));
}

// Ten rounds on kUnroll vectors of counters side by side: a round is a chain of dependent
// instructions, so one vector alone would leave the machine waiting.
template <std::size_t kUnroll, class D, class V = hn::Vec<D>>
HWY_INLINE void philox_rounds(D d, std::uint64_t seed, V (&c)[kUnroll][4]) {
  auto key0 = static_cast<std::uint32_t>(seed);
  auto key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const V k0 = hn::Set(d, key0);
    const V k1 = hn::Set(d, key1);
    for (std::size_t u = 0; u < kUnroll; ++u) {
      V high0, low0, high1, low1;
      multiply_wide(d, c[u][0], 0xD2511F53u, high0, low0);
      multiply_wide(d, c[u][2], 0xCD9E8D57u, high1, low1);
      c[u][0] = hn::Xor(hn::Xor(high1, c[u][1]), k0);
      c[u][1] = low1;
      c[u][2] = hn::Xor(hn::Xor(high0, c[u][3]), k1);
      c[u][3] = low0;
    }
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

// As above, some vectors of blocks at a time.
HWY_INLINE void mask_bits(const random::Stream& stream, std::uint64_t first_row, std::size_t rows,
                          std::size_t first_block, std::size_t elements, std::uint16_t* out) {
  const hn::ScalableTag<std::uint32_t> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t L = hn::Lanes(d);
  const std::size_t blocks_per_row = mask_row_stride(elements) / kMaskValuesPerBlock;
  const std::size_t blocks = rows * blocks_per_row;
  HWY_ALIGN std::uint32_t words[2][kMaskUnroll * hn::MaxLanes(d)];
  std::uint64_t row = first_row;
  std::uint64_t block_in_row = 0;
  for (std::size_t first = 0; first < blocks; first += kMaskUnroll * L) {
    for (std::size_t lane = 0; lane < kMaskUnroll * L; ++lane) {
      const std::uint64_t index = (row << 16) + first_block + block_in_row;
      words[0][lane] = static_cast<std::uint32_t>(index);
      words[1][lane] = static_cast<std::uint32_t>(index >> 32);
      const bool last = ++block_in_row == blocks_per_row;
      row += last ? 1 : 0;
      block_in_row = last ? 0 : block_in_row;
    }
    V c[kMaskUnroll][4];
    for (std::size_t u = 0; u < kMaskUnroll; ++u) {
      c[u][0] = hn::Load(d, words[0] + u * L);
      c[u][1] = hn::Load(d, words[1] + u * L);
      c[u][2] = hn::Set(d, stream.step);
      c[u][3] = hn::Set(d, (static_cast<std::uint32_t>(stream.purpose) << 24) | stream.epoch);
    }
    philox_rounds(d, stream.seed, c);
    for (std::size_t u = 0; u < kMaskUnroll; ++u) {
      // Lane by lane the four words of a block: eight 16-bit numbers in order (little-endian).
      hn::StoreInterleaved4(
          c[u][0], c[u][1], c[u][2], c[u][3], d,
          reinterpret_cast<std::uint32_t*>(out + (first + u * L) * kMaskValuesPerBlock));
    }
  }
}

#endif

// The same of whole rows.
HWY_INLINE void mask_bits(const random::Stream& stream, std::uint64_t first_row, std::size_t rows,
                          std::size_t elements, std::uint16_t* out) {
  mask_bits(stream, first_row, rows, 0, elements, out);
}

// Values stay whose random number reaches the threshold.
class Mask {
 public:
  explicit Mask(float rate)
      : threshold_(static_cast<std::int32_t>(std::lround(rate * 65536.0f))),
        keep_(1.0f / (1.0f - rate)) {}

  // Which values stay.
  template <class D>
  HWY_INLINE hn::Mask<D> keeps(D d, const std::uint16_t* bits) const {
    const hn::RebindToSigned<D> di;
    const hn::Rebind<std::uint16_t, D> d16;
    const auto number = hn::PromoteTo(di, hn::LoadU(d16, bits));
    return hn::RebindMask(d, hn::Gt(number, hn::Set(di, threshold_ - 1)));
  }
  // What those are multiplied by.
  float keep() const { return keep_; }

 private:
  std::int32_t threshold_;
  float keep_;
};

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_DROPOUT_INL_H_
