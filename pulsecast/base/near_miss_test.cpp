#include "pulsecast/base/near_miss.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

TEST(NearMiss, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("horizon", "horizon"), 0u);
  EXPECT_EQ(edit_distance("horzion", "horizon"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("time_column", "Time-Column"), 0u);
}

TEST(NearMiss, NamesTheClosestFirstAndNothingFarAway) {
  const std::vector<std::string> known = {"lookback", "look-ahead", "horizon"};
  EXPECT_EQ(near_misses("lokback", known), (std::vector<std::string>{"lookback"}));
  EXPECT_TRUE(near_misses("batch", known).empty());
  EXPECT_EQ(did_you_mean("horison", known), " Did you mean 'horizon'?");
  EXPECT_EQ(did_you_mean("batch", known), "");
}

}  // namespace
}  // namespace pulsecast
