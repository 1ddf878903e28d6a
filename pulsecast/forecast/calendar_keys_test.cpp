#include "pulsecast/forecast/calendar_keys.h"

#include <gtest/gtest.h>

#include <array>

namespace pulsecast {
namespace {

using Numbers = std::array<std::uint64_t, 3>;

TEST(CalendarKeys, EqualCalendarsShareAKeyAndOthersDoNot) {
  CalendarKeys keys(3, 4);
  const std::int32_t first = keys.key(Numbers{1, 2, 3});
  const std::int32_t second = keys.key(Numbers{3, 2, 1});
  EXPECT_NE(first, second);
  EXPECT_EQ(keys.key(Numbers{1, 2, 3}), first);
  EXPECT_EQ(keys.key(Numbers{3, 2, 1}), second);
  EXPECT_NE(keys.key(Numbers{1, 2, 4}), first);
}

TEST(CalendarKeys, AreFewAndBeginAnew) {
  CalendarKeys keys(3, 2);
  EXPECT_TRUE(keys.has_room(2));
  EXPECT_FALSE(keys.has_room(3));
  for (std::uint64_t i = 0; i < 2; ++i) {
    const std::int32_t key = keys.key(Numbers{i, 0, 0});
    EXPECT_GE(key, 0);
    EXPECT_LT(key, 2);
  }
  EXPECT_FALSE(keys.has_room(1));
  keys.begin_anew();
  EXPECT_TRUE(keys.has_room(2));
  EXPECT_EQ(keys.key(Numbers{7, 7, 7}), 0);
}

}  // namespace
}  // namespace pulsecast
