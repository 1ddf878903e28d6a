#include "pulsecast/train/static_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/base/random.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kDays = 56;

// Days of series that have the week of their region and noise; a kind makes no difference.
class StaticFitTest : public ::testing::Test {
 protected:
  void make(std::size_t count, double noise) {
    series_.step = Step::parse("1d");
    for (std::size_t day = 0; day < kDays; ++day) {
      series_.stamps.push_back({static_cast<std::int64_t>(day + 4) * 86'400'000});
    }
    series_.statics = {{"region", {}}, {"kind", {}}};
    for (std::uint32_t s = 0; s < count; ++s) {
      const random::Stream draws{
          .seed = 5, .purpose = random::Purpose::kSynthetic, .epoch = 0, .step = s};
      Channel channel{"s" + std::to_string(s), Role::kTarget, {}, 0, s};
      for (std::size_t day = 0; day < kDays; ++day) {
        const double week = week_of(s % 3, day % 7);
        channel.values.push_back(0.02 * static_cast<double>(day) + week +
                                 noise * random::normal(draws, day));
      }
      series_.channels.push_back(std::move(channel));
      series_.statics[0].values.push_back(std::string(1, static_cast<char>('a' + s % 3)));
      series_.statics[1].values.push_back(random::uniform(draws, 1000) < 0.5 ? "x" : "y");
      rows_.push_back({0, kDays});
    }
  }

  static double week_of(std::size_t region, std::size_t day) {
    return std::sin(0.9 * static_cast<double>(day) + 2.0 * static_cast<double>(region));
  }

  StaticFit fit(std::int32_t period) {
    plan_ = {{}, period, PhaseSource::kTimestamp, 0};
    const Scaler scaler(std::vector<double>(rows_.size(), 0.0),
                        std::vector<double>(rows_.size(), 1.0));
    scaled_.emplace(ScaledSeries::panel(series_, scaler, plan_, 14));
    return fit_statics({series_, *scaled_, plan_, rows_});
  }

  Series series_;
  std::vector<RowRange> rows_;
  CalendarPlan plan_;
  std::optional<ScaledSeries> scaled_;
};

// Regions are found and kinds are not; the profiles are the regions' weeks without what all share.
TEST_F(StaticFitTest, FindsTheShapesOfTheGroupsThatHaveAny) {
  make(60, 0.5);
  for (const std::int32_t period : {7, 1}) {
    SCOPED_TRACE(period);
    const StaticFit found = fit(period);
    ASSERT_TRUE(found.profiles);
    EXPECT_EQ(found.profiles->period(), 7u) << "also where the model has seen no period";
    ASSERT_EQ(found.profiles->columns().size(), 1u);
    EXPECT_EQ(found.profiles->columns()[0].column, "region");
    ASSERT_EQ(found.decisions.size(), 2u);
    EXPECT_EQ(found.decisions[0].value, "3 groups");
    EXPECT_EQ(found.decisions[1].value, "left out");
    for (std::size_t region = 0; region < 3; ++region) {
      double mean = 0.0;
      for (std::size_t day = 0; day < 7; ++day) mean += week_of(region, day) / 7.0;
      for (std::size_t day = 0; day < 7; ++day) {
        double all = 0.0;
        for (std::size_t other = 0; other < 3; ++other) {
          all += week_of(other, day) / 3.0;
          for (std::size_t each = 0; each < 7; ++each) all -= week_of(other, each) / 21.0;
        }
        EXPECT_NEAR(found.profiles->of_group(0, region)[day], week_of(region, day) - mean - all,
                    0.2);
      }
    }
  }
}

TEST_F(StaticFitTest, SayNothingWhereSeriesAreFewOrRowsHaveNoCycle) {
  make(6, 0.1);
  const StaticFit few = fit(7);
  EXPECT_FALSE(few.profiles);
  EXPECT_NE(few.decisions[0].why.find("6 series"), std::string::npos) << few.decisions[0].why;
  series_.step = Step::parse("1d");
  rows_.assign(6, {0, 5});
  EXPECT_FALSE(fit(7).profiles);
}

// One series gone mad must not be what its region is like.
TEST_F(StaticFitTest, AnOutlierDoesNotStandForItsGroup) {
  make(60, 0.3);
  const StaticFit sane = fit(7);
  series_.channels[0].values[10] = 1e4;
  const StaticFit mad = fit(7);
  ASSERT_TRUE(mad.profiles);
  for (std::size_t day = 0; day < 7; ++day) {
    EXPECT_NEAR(mad.profiles->of_group(0, 0)[day], sane.profiles->of_group(0, 0)[day], 0.3);
  }
}

// Over other rows with the strengths that stand.
TEST_F(StaticFitTest, AgainOverAllRows) {
  make(60, 0.5);
  for (RowRange& rows : rows_) rows = {0, 28};
  const StaticFit found = fit(7);
  ASSERT_TRUE(found.profiles);
  for (RowRange& rows : rows_) rows = {0, kDays};
  const auto again = refit_statics(found, {series_, *scaled_, plan_, rows_});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->columns(), found.profiles->columns());
  EXPECT_NE(again->values(), found.profiles->values());
  EXPECT_FALSE(refit_statics({}, {series_, *scaled_, plan_, rows_}));
}

}  // namespace
}  // namespace pulsecast::train
