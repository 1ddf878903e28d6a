#include "pulsecast/train/effect_fit.h"

#include <gtest/gtest.h>

#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/train/fit.h"

namespace pulsecast::train {
namespace {

// A level, a week, a price that adds 0.3 of the level, holidays that take 0.4, and little noise.
Series priced_series(std::int64_t rows = 700, std::int64_t channels = 1) {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = channels;
  settings.step = "1d";
  settings.noise = 0.02;
  settings.price = 0.3;
  settings.holiday = -0.4;
  return make_series(Synthetic(settings));
}

EffectRowsToFit priced_parts(const Series& series, std::size_t targets, bool is_shared = false) {
  const std::size_t trained = series.rows() * 4 / 5;
  return {std::vector<RowRange>(targets, {0, trained}),
          std::vector<RowRange>(targets, {trained, series.rows()}), 7, is_shared};
}

class EffectFits : public ::testing::Test {
 protected:
  EffectFit fit(const Series& series, std::size_t targets, bool is_shared = false) {
    scaler_ = Scaler::fit(series, {0, series.rows()});
    return fit_effects(series, scaler_, priced_parts(series, targets, is_shared), pool_);
  }
  // What a column does between its low and high value, per unit of the column, in original units.
  double slope(const Effects& effects, std::size_t target, std::size_t column) const {
    const EffectDesign::Column& own = effects.design().columns()[column];
    return effects.change(target, column).mean * scaler_.scales()[target] / (own.high - own.low);
  }

  ThreadPool pool_{2};
  Scaler scaler_;
};

TEST_F(EffectFits, FindsWhatThePriceAndTheHolidaysDo) {
  const Series series = priced_series(700, 2);
  const EffectFit found = fit(series, 2);
  ASSERT_TRUE(found.effects.has_value());
  EXPECT_EQ(found.targets, 2u);
  EXPECT_LT(found.with, 0.1 * found.without);
  EXPECT_EQ(found.apart, "the 4 weeks before");
  // The level of a channel is what a weekday's mean comes to without trend, price and holidays.
  const Series plain = [] {
    SyntheticSettings settings;
    settings.rows = 700;
    settings.channels = 2;
    settings.step = "1d";
    settings.noise = settings.weekly = settings.trend = 0.0;
    return make_series(Synthetic(settings));
  }();
  for (std::size_t c = 0; c < 2; ++c) {
    const double level = plain.channels[c].values.front();
    EXPECT_NEAR(slope(*found.effects, c, 0), 0.3 * level, 0.03 * level);
    EXPECT_NEAR(slope(*found.effects, c, 1), -0.4 * level, 0.03 * level);
  }
}

TEST_F(EffectFits, APanelSharesThemInUnitsOfItsSeries) {
  const Series series = priced_series(300, 6);
  const EffectFit found = fit(series, 6, true);
  ASSERT_TRUE(found.effects.has_value());
  EXPECT_EQ(found.effects->sets(), 1u);
  EXPECT_EQ(found.targets, 6u);
  EXPECT_LT(found.with, 0.2 * found.without);
}

TEST_F(EffectFits, AColumnThatExplainsNothingHasNoEffect) {
  Series series = priced_series(700);
  SyntheticSettings other;
  other.rows = 700;
  other.channels = 1;
  other.seed = 77;
  other.daily = other.weekly = other.trend = 0.0;
  other.noise = 1.0;
  series.channels.resize(1);
  series.channels.push_back(
      {"unrelated", Role::kKnown, make_series(Synthetic(other)).channels.front().values});
  const EffectFit found = fit(series, 1);
  EXPECT_FALSE(found.effects.has_value());
  const Decision decision = decision_of(found, "unrelated", 1);
  EXPECT_EQ(decision.value, "none");
  EXPECT_NE(decision.why.find("does not depend on them"), std::string::npos) << decision.why;
}

TEST_F(EffectFits, AConstantColumnHasNoTerm) {
  Series series = priced_series(300);
  series.channels.resize(1);
  series.channels.push_back({"flat", Role::kKnown, std::vector<double>(300, 4.0)});
  EXPECT_FALSE(fit(series, 1).effects.has_value());
}

// What comes after the rows that are read changes nothing: no value of the future is looked at.
TEST_F(EffectFits, LaterRowsDoNotCount) {
  const Series series = priced_series(700);
  Series later = series;
  for (std::size_t row = 600; row < 700; ++row) later.channels[0].values[row] += 1000.0;
  const EffectRowsToFit rows{{{0, 500}}, {{500, 600}}, 7, false};
  const Scaler scaler = Scaler::fit(series, {0, 500});
  const EffectFit first = fit_effects(series, scaler, rows, pool_);
  const EffectFit second = fit_effects(later, scaler, rows, pool_);
  EXPECT_EQ(first.effects->weights(), second.effects->weights());
}

// An effect that differs with the weekday: no holiday changes a Sunday.
TEST_F(EffectFits, AnEffectMayDifferWithTheWeekday) {
  Series series = priced_series(2000);
  SyntheticSettings without;
  without.rows = 2000;
  without.channels = 1;
  without.step = "1d";
  without.noise = 0.02;
  without.price = 0.3;
  without.holiday = 1e-9;
  const Series plain = make_series(Synthetic(without));
  for (std::size_t row = 0; row < series.rows(); ++row) {
    if (series.zone.to_wall(series.stamps[row]).weekday == 6) {
      series.channels[0].values[row] = plain.channels[0].values[row];
    }
  }
  const EffectFit found = fit(series, 1);
  ASSERT_TRUE(found.effects.has_value());
  const Effects::Change change = found.effects->change(0, 1);
  EXPECT_NEAR(change.largest, 0.0, 0.15 * std::abs(change.least));
}

TEST(FitWithEffects, TakesThemOffAndTheyStayInTheRefit) {
  const Series series = priced_series(500);
  Settings settings;
  settings.data.horizon = "7";
  settings.data.lookback = "28";
  settings.data.known = {"price", "holiday"};
  settings.model.model = alone(BackboneKind::kLinear);
  settings.training.calibration = 0.0;
  ThreadPool pool(1);
  const Fitted once = fit(series, settings, false, {}, pool);
  const Fitted again = fit(series, settings, true, {}, pool);
  ASSERT_TRUE(once.effects.effects && again.effects.effects);
  EXPECT_NE(once.effects.effects->weights(), again.effects.effects->weights());
  EXPECT_EQ(once.plan.decisions.back().what, "effects");
  EXPECT_EQ(once.plan.decisions.back().value, "price, holiday");
  EXPECT_LT(once.result.best_validation, 0.1);
  settings.model.model = alone(BackboneKind::kDLinear);
  settings.training.epochs = 2;
  EXPECT_TRUE(fit(series, settings, false, {}, pool).effects.effects) << "of any model";
  settings.model.model = ModelKind::kPulse;
  settings.model.known_as = KnownAs::kFeatures;
  EXPECT_FALSE(fit(series, settings, false, {}, pool).effects.effects);
}

}  // namespace
}  // namespace pulsecast::train
