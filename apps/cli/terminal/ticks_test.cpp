#include "apps/cli/terminal/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pulsecast::cli {
namespace {

std::vector<std::string> texts(double low, double high, std::size_t most) {
  std::vector<std::string> texts;
  for (const Tick& tick : round_ticks({low, high}, most)) texts.push_back(tick.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Ticks, AreRound) {
  EXPECT_EQ(texts(0, 4, 3), (Texts{"0", "2", "4"}));
  EXPECT_EQ(texts(-7, 23, 4), (Texts{"0", "10", "20"}));
  EXPECT_EQ(texts(0.12, 0.31, 5), (Texts{"0.15", "0.20", "0.25", "0.30"}));
  EXPECT_EQ(texts(-0.001, 0.001, 3), (Texts{"-0.001", "0.000", "0.001"})) << "not -0.000";
  EXPECT_EQ(texts(1e9 + 1, 1e9 + 4, 3), (Texts{"1000000002", "1000000004"}));
  EXPECT_EQ(texts(0, 3e12, 4), (Texts{"0", "1e+12", "2e+12", "3e+12"}));
  EXPECT_EQ(texts(0, 4e-9, 3), (Texts{"0", "2e-09", "4e-09"}));
}

TEST(Ticks, AreTheEndsWhereNoTwoRoundNumbersFit) {
  EXPECT_EQ(texts(0.3, 0.9, 2), (Texts{"0.30", "0.90"}));
  EXPECT_EQ(texts(0, 1, 1), Texts{});
}

TEST(Ticks, AreFewEnoughAndInsideWhateverTheRange) {
  const double largest = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  const std::vector<Range> ranges = {{0, 1},           {-largest, largest},    {0, least},
                                     {-least, 1000},   {largest / 2, largest}, {1, 1 + 1e-11},
                                     {-1e-300, 1e-300}};
  for (const Range& given : ranges) {
    const Range range = range_of(given.low, given.high);
    for (std::size_t most = 2; most < 30; ++most) {
      const std::vector<Tick> ticks = round_ticks(range, most);
      EXPECT_GE(ticks.size(), 2u);
      EXPECT_LE(ticks.size(), most);
      for (const Tick& tick : ticks) {
        EXPECT_GE(range.share(tick.value), -1e-3);
        EXPECT_LE(range.share(tick.value), 1.0 + 1e-3);
      }
    }
  }
}

TEST(Range, OfOneValueIsWidened) {
  for (const double value : {0.0, 3.25, -1e-300, 1e300, std::numeric_limits<double>::max(),
                             -std::numeric_limits<double>::max()}) {
    const Range range = range_of(value, value);
    EXPECT_LT(range.low, range.high);
    EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high));
    EXPECT_LE(range.low, value);
    EXPECT_GE(range.high, value);
  }
  EXPECT_EQ(range_of(1.0, 2.0).low, 1.0);
  EXPECT_EQ(range_of(1.0, 2.0).high, 2.0);
}

}  // namespace
}  // namespace pulsecast::cli
