#include "pulsecast/evaluate/seasons.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

using Seasons = std::vector<Season>;

TEST(Seasons, AreWholeNumbersOfSteps) {
  EXPECT_EQ(seasons_of(Step::parse("1h")), (Seasons{{"day", 24}, {"week", 168}}));
  EXPECT_EQ(seasons_of(Step::parse("15min")), (Seasons{{"day", 96}, {"week", 672}}));
  EXPECT_EQ(seasons_of(Step::parse("10min")), (Seasons{{"day", 144}, {"week", 1008}}));
  EXPECT_EQ(seasons_of(Step::parse("12h")), (Seasons{{"day", 2}, {"week", 14}}));
}

TEST(Seasons, OfOneStepOrAFractionAreNone) {
  EXPECT_EQ(seasons_of(Step::parse("1d")), (Seasons{{"week", 7}}));
  EXPECT_EQ(seasons_of(Step::parse("24h")), (Seasons{{"week", 7}}));
  EXPECT_EQ(seasons_of(Step::parse("7h")), (Seasons{{"week", 24}})) << "a day is not whole";
  EXPECT_EQ(seasons_of(Step::parse("7min")), (Seasons{{"week", 1440}}));
  EXPECT_EQ(seasons_of(Step::parse("2d")), Seasons{});
  EXPECT_EQ(seasons_of(Step::parse("1w")), Seasons{});
  EXPECT_EQ(seasons_of(Step::parse("1y")), Seasons{});
}

TEST(Seasons, OfBusinessDaysIsTheWeek) {
  EXPECT_EQ(seasons_of(Step::parse("1b")), (Seasons{{"week", 5}}));
}

TEST(Seasons, OfMonthsIsTheYear) {
  EXPECT_EQ(seasons_of(Step::parse("1me")), (Seasons{{"year", 12}}));
  EXPECT_EQ(seasons_of(Step::parse("1mo")), (Seasons{{"year", 12}}));
  EXPECT_EQ(seasons_of(Step::parse("3mo")), (Seasons{{"year", 4}}));
  EXPECT_EQ(seasons_of(Step::parse("5mo")), Seasons{});
}

}  // namespace
}  // namespace pulsecast
