#include "pulsecast/base/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pulsecast {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// The check value of the catalogue of CRCs, and examples of RFC 3720, B.4.
TEST(Crc32c, IsTheOneOfTheStandards) {
  const std::string zeros(32, '\0');
  const std::string ones(32, '\xFF');
  for (const auto sum : {&crc32c, &crc32c_by_table}) {
    EXPECT_EQ(sum(bytes_of("123456789"), 0), 0xE3069283u);
    EXPECT_EQ(sum(bytes_of(zeros), 0), 0x8A9136AAu);
    EXPECT_EQ(sum(bytes_of(ones), 0), 0x62A8AB43u);
    EXPECT_EQ(sum({}, 0), 0u);
  }
}

TEST(Crc32c, TheInstructionGivesWhatTheTableGives) {
  std::vector<std::byte> data(20000);
  std::uint32_t value = 1;
  for (std::byte& byte : data) {
    value = value * 1664525 + 1013904223;
    byte = static_cast<std::byte>(value >> 24);
  }
  const std::span<const std::byte> all(data);
  for (const std::size_t length : {1, 7, 8, 9, 1023, 3071, 3072, 3073, 6144, 9999, 19990}) {
    for (const std::size_t first : {0, 1, 3, 8}) {
      const auto part = all.subspan(first, length);
      EXPECT_EQ(crc32c(part), crc32c_by_table(part)) << length << " from " << first;
      const auto half = length / 2;
      EXPECT_EQ(crc32c(part.subspan(half), crc32c(part.first(half))), crc32c(part)) << length;
    }
  }
}

}  // namespace
}  // namespace pulsecast
