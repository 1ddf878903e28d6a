#include "pulsecast/calendar/packed_stamps.h"

#include <gtest/gtest.h>

#include <vector>

namespace pulsecast {
namespace {

TEST(PackedStamps, HoldEveryFormAsItWasRead) {
  std::vector<Stamp> stamps;
  for (const char* text :
       {"2024-07-01", "9999-12-31T23:59:59.9999-14:00", "0001-01-01 00:00+14:00",
        "31/12/2024 13:45", "12/31/2024 1:45 PM", "1719835200.25", "-99999999999", "1719835200000",
        "20240701", "", "no date", "2024-07-01 24:00", "99999999999999999"}) {
    stamps.push_back(read_stamp(text));
  }
  // Enough of them for blocks, with every neighbour once.
  PackedStamps packed;
  for (std::size_t i = 0; i < 400; ++i) packed.push_back(stamps[i * i % stamps.size()]);
  ASSERT_EQ(packed.size(), 400U);
  for (std::size_t i = 0; i < 400; ++i) EXPECT_EQ(packed[i], stamps[i * i % stamps.size()]) << i;
}

}  // namespace
}  // namespace pulsecast
