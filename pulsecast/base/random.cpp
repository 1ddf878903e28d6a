#include "pulsecast/base/random.h"

#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace pulsecast::random {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

__extension__ using Wide = unsigned __int128;

// A rejection loop draws from its own run of blocks, so that neighbouring indices never share one.
constexpr std::uint64_t kBlocksPerRejectionDraw = 1u << 16;

std::uint64_t low_word(const Block& bits) { return (std::uint64_t{bits[1]} << 32) | bits[0]; }
std::uint64_t high_word(const Block& bits) { return (std::uint64_t{bits[3]} << 32) | bits[2]; }

double to_unit(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// In (0, 1]: safe under a logarithm.
double to_positive_unit(std::uint64_t word) { return to_unit(word) + 0x1p-53; }

double normal_of(const Block& bits) {
  const double radius = std::sqrt(-2.0 * std::log(to_positive_unit(low_word(bits))));
  return radius * std::cos(2.0 * std::numbers::pi * to_unit(high_word(bits)));
}

// log of a Gamma(a, 1) draw, a < 1 or not: Marsaglia and Tsang at a + 1, then the boost U^(1/a).
double log_gamma_draw(const Stream& stream, std::uint64_t first_block, double a) {
  const double boost = std::log(to_positive_unit(low_word(block(stream, first_block)))) / a;
  const double d = a + 1.0 - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (std::uint64_t attempt = 1;; attempt += 2) {
    const double x = normal_of(block(stream, first_block + attempt));
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v <= 0.0) continue;
    const double u = to_positive_unit(low_word(block(stream, first_block + attempt + 1)));
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) {
      return std::log(d * v) + boost;
    }
  }
}

}  // namespace

Block philox4x32(Block counter, std::uint64_t key) {
  auto key0 = static_cast<std::uint32_t>(key);
  auto key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0,
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1,
               static_cast<std::uint32_t>(product0)};
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return counter;
}

Block block(const Stream& stream, std::uint64_t index) {
  assert(stream.epoch < (1u << 24));
  const auto purpose = static_cast<std::uint32_t>(stream.purpose);
  return philox4x32({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                     stream.step, (purpose << 24) | stream.epoch},
                    stream.seed);
}

double uniform(const Stream& stream, std::uint64_t index) {
  return to_unit(low_word(block(stream, index)));
}

double normal(const Stream& stream, std::uint64_t index) { return normal_of(block(stream, index)); }

double beta(const Stream& stream, std::uint64_t index, double a) {
  assert(a > 0.0);
  const std::uint64_t first = 2 * index * kBlocksPerRejectionDraw;
  const double log_x = log_gamma_draw(stream, first, a);
  const double log_y = log_gamma_draw(stream, first + kBlocksPerRejectionDraw, a);
  return 1.0 / (1.0 + std::exp(log_y - log_x));
}

void permutation(const Stream& stream, std::span<std::uint32_t> out) {
  std::iota(out.begin(), out.end(), 0u);
  for (std::size_t i = out.size(); i > 1; --i) {
    // A 64-bit word scaled down to [0, i): the bias is below i / 2^64.
    const std::uint64_t word = low_word(block(stream, i - 1));
    const auto j = static_cast<std::size_t>((static_cast<Wide>(word) * i) >> 64);
    std::swap(out[i - 1], out[j]);
  }
}

void dropout_scale(const Stream& stream, std::uint64_t row, float rate, std::span<float> out) {
  // Eight 16-bit numbers a block; 2^16 blocks are set aside for a row.
  constexpr std::size_t kPerBlock = 8;
  assert(out.size() <= (kPerBlock << 16));
  const auto threshold = static_cast<std::uint32_t>(std::lround(rate * 65536.0f));
  const float keep = 1.0f / (1.0f - rate);
  for (std::size_t start = 0; start < out.size(); start += kPerBlock) {
    const Block bits = block(stream, (row << 16) + start / kPerBlock);
    const std::size_t count = std::min(kPerBlock, out.size() - start);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t half = (bits[i / 2] >> (16 * (i % 2))) & 0xFFFFu;
      out[start + i] = half < threshold ? 0.0f : keep;
    }
  }
}

}  // namespace pulsecast::random
