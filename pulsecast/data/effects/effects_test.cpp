#include "pulsecast/data/effects/effects.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/data/effects/effect_rows.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/synthetic/synthetic.h"

namespace pulsecast {
namespace {

Series priced_days(std::int64_t rows = 200, std::int64_t ahead = 5) {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = 2;
  settings.step = "1d";
  settings.price = 0.3;
  settings.holiday = -0.4;
  settings.ahead = ahead;
  return make_series(Synthetic(settings));
}

constexpr RowRange kPricedRows{0, 200};

TEST(EffectDesign, TermsHaveMeanZeroAndDeviationOne) {
  const Series series = priced_days();
  const auto design = EffectDesign::of(series, {&kPricedRows, 1}, EffectGroups::kWeekday);
  ASSERT_EQ(design.columns().size(), 2u);
  EXPECT_EQ(design.group_count(), 7u);
  // A price that bends in nine places, a holiday that cannot, and their product.
  ASSERT_EQ(design.terms().size(), 12u);
  EffectRows rows(design);
  const KnownColumns known(series);
  rows.read(series, known.of(series.channels[0]), kPricedRows);
  for (std::size_t m = 0; m < design.terms().size(); ++m) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < 200; ++row) {
      sum += rows.terms(row)[m];
      squares += rows.terms(row)[m] * rows.terms(row)[m];
    }
    EXPECT_NEAR(sum, 0.0, 1e-9);
    EXPECT_NEAR(squares / 200.0, 1.0, 1e-9);
  }
  EXPECT_EQ(rows.group(0), 0u) << "a Monday";
  EXPECT_EQ(rows.group(8), 1u);
}

TEST(EffectDesign, GroupsKeepApartByWholeWeeksAndYears) {
  EXPECT_EQ(groups_for(Step::parse("1h"), 168), EffectGroups::kHour);
  EXPECT_EQ(groups_for(Step::parse("1h"), 24), EffectGroups::kNone);
  EXPECT_EQ(groups_for(Step::parse("1d"), 7), EffectGroups::kWeekday);
  EXPECT_EQ(groups_for(Step::parse("1b"), 5), EffectGroups::kWeekday);
  EXPECT_EQ(groups_for(Step::parse("1mo"), 12), EffectGroups::kMonth);
  EXPECT_EQ(groups_for(Step::parse("7d"), 1), EffectGroups::kNone);
}

TEST(EffectRows, GoOnPastTheLastRowAndAreMissingWhereAColumnIs) {
  Series series = priced_days(200, 2);
  series.channels[2].values[3] = kMissing;
  const auto design = EffectDesign::of(series, {&kPricedRows, 1}, EffectGroups::kWeekday);
  EffectRows rows(design);
  const KnownColumns known(series);
  rows.read(series, known.of(series.channels[1]), {0, 204});
  EXPECT_TRUE(std::isnan(rows.terms(3)[0]));
  EXPECT_FALSE(std::isnan(rows.terms(201)[0]));
  EXPECT_TRUE(std::isnan(rows.terms(202)[0]));
  EXPECT_EQ(rows.group(203), 203u % 7u);
}

TEST(ScaledSeries, WhatAModelSeesIsWithoutEffects) {
  const Series series = priced_days();
  const EffectDesign design({{0.0, 1.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 1.0}},
                            {{EffectDesign::Term::Kind::kLinear, 1, 0, 0.0, 0.0, 1.0}},
                            EffectGroups::kNone);
  const Effects effects(design, 2, {-2.0, 0.0});
  EXPECT_TRUE(effects.has(0));
  EXPECT_FALSE(effects.has(1));
  const Scaler scaler = Scaler::fit(series, kPricedRows);
  const ScaledSeries scaled(series, scaler, CalendarPlan{}, 0, {&effects, false});
  EXPECT_FALSE(scaled.known_are_inputs());
  for (std::size_t row = 0; row < 200; ++row) {
    const double holiday = series.channels[3].values[row];
    EXPECT_FLOAT_EQ(scaled.seen(0)[row],
                    scaled.channel(0)[row] + 2.0f * static_cast<float>(holiday));
    EXPECT_EQ(scaled.seen(1)[row], scaled.channel(1)[row]);
  }
  EXPECT_EQ(scaled.seen(2).data(), scaled.channel(2).data());
}

TEST(Effects, AChangeIsTheMeanOverTheGroups) {
  const EffectDesign design({{0.5, 0.25, 0.0, 1.0}},
                            {{EffectDesign::Term::Kind::kLinear, 0, 0, 0.0, 0.0, 2.0}},
                            EffectGroups::kWeekday);
  const Effects effects(design, 1, {1, 1, 1, 1, 1, 1, 8});
  const Effects::Change change = effects.change(0, 0);  // four deviations, by a spread of 2
  EXPECT_DOUBLE_EQ(change.mean, 2.0 * 2.0);
  EXPECT_DOUBLE_EQ(change.least, 2.0);
  EXPECT_DOUBLE_EQ(change.largest, 16.0);
}

}  // namespace
}  // namespace pulsecast
