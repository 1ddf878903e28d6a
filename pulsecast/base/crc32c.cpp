#include "pulsecast/base/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define PULSECAST_CRC_TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#define PULSECAST_CRC_TARGET __attribute__((target("+crc")))
#endif

namespace pulsecast {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // bits reversed

constexpr std::array<std::uint32_t, 256> kBytes = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}();

#ifdef PULSECAST_CRC_TARGET

// The instruction takes a word a cycle and gives its result three cycles later, so three stretches
// of this many bytes are summed side by side and joined.
constexpr std::size_t kStretch = 1024;

// A linear map of checksums: what each bit becomes.
using Map = std::array<std::uint32_t, 32>;

constexpr std::uint32_t mapped(const Map& map, std::uint32_t value) {
  std::uint32_t sum = 0;
  for (std::size_t bit = 0; bit < map.size(); ++bit) {
    if ((value >> bit & 1) != 0) sum ^= map[bit];
  }
  return sum;
}

// What a checksum becomes when kStretch zero bytes follow: one zero bit, doubled again and again.
constexpr Map kAfterStretch = [] {
  Map map{kPolynomial};
  for (std::size_t bit = 1; bit < map.size(); ++bit) map[bit] = std::uint32_t{1} << (bit - 1);
  for (std::size_t bits = 1; bits < 8 * kStretch; bits *= 2) {
    Map twice{};
    for (std::size_t bit = 0; bit < map.size(); ++bit) twice[bit] = mapped(map, map[bit]);
    map = twice;
  }
  return map;
}();
static_assert((kStretch & (kStretch - 1)) == 0, "doubling must reach it");

// The same by bytes of the checksum.
constexpr std::array<std::array<std::uint32_t, 256>, 4> kShift = [] {
  std::array<std::array<std::uint32_t, 256>, 4> table{};
  for (std::uint32_t place = 0; place < 4; ++place) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      table[place][byte] = mapped(kAfterStretch, byte << (8 * place));
    }
  }
  return table;
}();

std::uint32_t after_stretch(std::uint32_t sum) {
  return kShift[0][sum & 0xFF] ^ kShift[1][sum >> 8 & 0xFF] ^ kShift[2][sum >> 16 & 0xFF] ^
         kShift[3][sum >> 24];
}

#if defined(__x86_64__)

bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }

PULSECAST_CRC_TARGET inline std::uint32_t add_word(std::uint32_t sum, std::uint64_t word) {
  return static_cast<std::uint32_t>(_mm_crc32_u64(sum, word));
}

PULSECAST_CRC_TARGET inline std::uint32_t add_byte(std::uint32_t sum, std::byte byte) {
  return _mm_crc32_u8(sum, std::to_integer<std::uint8_t>(byte));
}

#else

bool has_instruction() {
  constexpr unsigned long kCrc32 = 1UL << 7;  // HWCAP_CRC32
  return (::getauxval(AT_HWCAP) & kCrc32) != 0;
}

PULSECAST_CRC_TARGET inline std::uint32_t add_word(std::uint32_t sum, std::uint64_t word) {
  return __crc32cd(sum, word);
}

PULSECAST_CRC_TARGET inline std::uint32_t add_byte(std::uint32_t sum, std::byte byte) {
  return __crc32cb(sum, std::to_integer<std::uint8_t>(byte));
}

#endif

std::uint64_t word_at(const std::byte* place) {
  std::uint64_t word = 0;
  std::memcpy(&word, place, sizeof word);
  return word;
}

PULSECAST_CRC_TARGET std::uint32_t by_instruction(std::span<const std::byte> bytes,
                                                  std::uint32_t sum) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const std::byte* place = bytes.data();
  const std::byte* const end = place + bytes.size();
  for (; static_cast<std::size_t>(end - place) >= 3 * kStretch; place += 3 * kStretch) {
    std::uint32_t second = 0;
    std::uint32_t third = 0;
    for (const std::byte* each = place; each != place + kStretch; each += kWord) {
      sum = add_word(sum, word_at(each));
      second = add_word(second, word_at(each + kStretch));
      third = add_word(third, word_at(each + 2 * kStretch));
    }
    sum = after_stretch(after_stretch(sum) ^ second) ^ third;
  }
  for (; static_cast<std::size_t>(end - place) >= kWord; place += kWord) {
    sum = add_word(sum, word_at(place));
  }
  for (; place != end; ++place) sum = add_byte(sum, *place);
  return sum;
}

#endif

}  // namespace

std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t sum = ~before;
  for (const std::byte byte : bytes) {
    sum = (sum >> 8) ^ kBytes[(sum ^ std::to_integer<std::uint32_t>(byte)) & 0xFF];
  }
  return ~sum;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
#ifdef PULSECAST_CRC_TARGET
  static const bool is_fast = has_instruction();
  if (is_fast) return ~by_instruction(bytes, ~before);
#endif
  return crc32c_by_table(bytes, before);
}

}  // namespace pulsecast
