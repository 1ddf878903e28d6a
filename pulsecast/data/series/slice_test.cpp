#include "pulsecast/data/series/slice.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

Series ten_hours() {
  Series series;
  for (int hour = 0; hour < 10; ++hour) series.stamps.push_back(Instant{hour * 3600000LL});
  series.channels.push_back({"all", Role::kTarget, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, 0});
  series.channels.push_back({"late", Role::kTarget, {6, 7, 8}, 6, 1});
  return series;
}

TEST(Slice, HasTheRowsAndTheirValues) {
  const Series part = slice(ten_hours(), {4, 8});
  ASSERT_EQ(part.rows(), 4u);
  EXPECT_EQ(part.stamps.front(), Instant{4 * 3600000LL});
  ASSERT_EQ(part.channels.size(), 2u);
  EXPECT_EQ(part.channels[0].values, (std::vector<double>{4, 5, 6, 7}));
  EXPECT_EQ(part.channels[0].begin, 0u);
  EXPECT_EQ(part.channels[1].values, (std::vector<double>{6, 7}));
  EXPECT_EQ(part.channels[1].begin, 2u);
}

TEST(Slice, LeavesOutSeriesThatHadNotBegun) {
  const Series part = slice(ten_hours(), {0, 6});
  ASSERT_EQ(part.channels.size(), 1u);
  EXPECT_EQ(part.channels[0].name, "all");
}

TEST(Slice, OfAWideTableKeepsEveryChannel) {
  Series series = ten_hours();
  series.channels[1].series = 0;
  const Series part = slice(series, {0, 3});
  ASSERT_EQ(part.channels.size(), 2u);
  EXPECT_TRUE(part.channels[1].values.empty());
}

}  // namespace
}  // namespace pulsecast
