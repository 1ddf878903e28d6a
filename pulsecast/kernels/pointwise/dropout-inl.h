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

inline std::size_t mask_row_stride(std::size_t elements) {
  return (elements + kMaskValuesPerBlock - 1) / kMaskValuesPerBlock * kMaskValuesPerBlock;
}

// Room for the masks of `rows` rows, with what the last vector writes past their end.
inline std::size_t mask_capacity(std::size_t rows, std::size_t elements) {
  return rows * mask_row_stride(elements) +
         kMaskValuesPerBlock * hn::MaxLanes(hn::ScalableTag<std::uint32_t>());
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

// The four words of the blocks of `stream` at the given indices, lane by lane: those of the lanes
// 0, 2, 4 ... are asked for in evens, of the others in odds. A word is worked on in a lane of 64
// bits: the products then are what the instruction gives, and what stands above a word is never
// read.
template <class D, class V = hn::Vec<D>, class D64 = hn::RepartitionToWide<D>>
HWY_INLINE void draw_blocks(D d, const random::Stream& stream, hn::Vec<D64> evens,
                            hn::Vec<D64> odds, V (&words)[4]) {
  const D64 d64;
  using V64 = hn::Vec<D64>;
  const auto high = [](V64 product) { return hn::ShiftRight<32>(product); };
  const auto product = [&](V64 word, V64 by) {
    return hn::MulEven(hn::BitCast(d, word), hn::BitCast(d, by));
  };
  const V64 multiplier0 = hn::Set(d64, 0xD2511F53u);
  const V64 multiplier1 = hn::Set(d64, 0xCD9E8D57u);
  V64 c[2]
       [4];  // two chains of dependent rounds, of which one alone would leave the machine waiting
  for (std::size_t u = 0; u < 2; ++u) {
    c[u][0] = u == 0 ? evens : odds;
    c[u][1] = high(c[u][0]);
    c[u][2] = hn::Set(d64, stream.step);
    c[u][3] = hn::Set(d64, (static_cast<std::uint32_t>(stream.purpose) << 24) | stream.epoch);
  }
  auto key0 = static_cast<std::uint32_t>(stream.seed);
  auto key1 = static_cast<std::uint32_t>(stream.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const V64 k0 = hn::Set(d64, key0);
    const V64 k1 = hn::Set(d64, key1);
    for (std::size_t u = 0; u < 2; ++u) {
      const V64 product0 = product(c[u][0], multiplier0);
      const V64 product1 = product(c[u][2], multiplier1);
      c[u][0] = hn::Xor3(high(product1), c[u][1], k0);
      c[u][1] = product1;
      c[u][2] = hn::Xor3(high(product0), c[u][3], k1);
      c[u][3] = product0;
    }
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  for (std::size_t w = 0; w < 4; ++w) {
    words[w] = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(c[1][w])), hn::BitCast(d, c[0][w]));
  }
}

// As above, a vector of blocks at a time.
HWY_INLINE void mask_bits(const random::Stream& stream, std::uint64_t first_row, std::size_t rows,
                          std::size_t first_block, std::size_t elements, std::uint16_t* out) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RepartitionToWide<decltype(d)> d64;
  const std::size_t L = hn::Lanes(d);
  const std::size_t blocks_per_row = mask_row_stride(elements) / kMaskValuesPerBlock;
  const std::size_t blocks = rows * blocks_per_row;
  HWY_ALIGN std::uint64_t indices[2][hn::MaxLanes(d64)];  // of even lanes, and of odd ones
  std::uint64_t row = first_row;
  std::uint64_t block_in_row = 0;
  for (std::size_t first = 0; first < blocks; first += L) {
    for (std::size_t lane = 0; lane < L; ++lane) {
      indices[lane % 2][lane / 2] = (row << 16) + first_block + block_in_row;
      const bool last = ++block_in_row == blocks_per_row;
      row += last ? 1 : 0;
      block_in_row = last ? 0 : block_in_row;
    }
    hn::Vec<decltype(d)> words[4];
    draw_blocks(d, stream, hn::Load(d64, indices[0]), hn::Load(d64, indices[1]), words);
    // Lane by lane the four words of a block: eight 16-bit numbers in order (little-endian).
    hn::StoreInterleaved4(words[0], words[1], words[2], words[3], d,
                          reinterpret_cast<std::uint32_t*>(out + first * kMaskValuesPerBlock));
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
    return keeps(d, hn::PromoteTo(di, hn::LoadU(d16, bits)));
  }
  // The same of numbers that are 32 bits wide already.
  template <class D>
  HWY_INLINE hn::Mask<D> keeps(D d, hn::Vec<hn::RebindToSigned<D>> numbers) const {
    return hn::RebindMask(d, hn::Gt(numbers, hn::Set(hn::RebindToSigned<D>(), threshold_ - 1)));
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
