#include "pulsecast/data/series/calendar_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast {
namespace {

Series made(const std::string& step) {
  SyntheticSettings settings;
  settings.rows = 1000;
  settings.channels = 2;
  settings.step = step;
  settings.weekly = 0.0;
  return make_series(Synthetic(settings));
}

std::vector<std::string> feature_names(const CalendarPlan& plan) {
  std::vector<std::string> names;
  for (const CalendarFeature feature : plan.features) names.emplace_back(name(feature));
  return names;
}

CalendarPlan planned(const Series& series, const DataSettings& settings = {}) {
  return plan_calendar(series, {0, 700}, settings).plan;
}

using Names = std::vector<std::string>;

TEST(CalendarPlan, FindsWhatSettingsLeaveOpen) {
  const CalendarPlan hourly = planned(made("1h"));
  EXPECT_EQ(feature_names(hourly), (Names{"hour_of_day"})) << "the period is a day";
  EXPECT_EQ(hourly.period, 24);
  DataSettings weekly;
  weekly.period = 168;
  EXPECT_EQ(feature_names(planned(made("1h"), weekly)), (Names{"hour_of_day", "day_of_week"}));
  EXPECT_EQ(hourly.phase, PhaseSource::kTimestamp);
  EXPECT_EQ(feature_names(planned(made("5min"))),
            (Names{"minute_of_hour", "hour_of_day", "day_of_week"}))
      << "there is no period in two days";
  EXPECT_EQ(feature_names(planned(made("1d"))), (Names{"day_of_week"}));
  EXPECT_EQ(feature_names(planned(made("1mo"))), (Names{"month_of_year"}));
}

TEST(CalendarPlan, PeriodIsFoundInTheRowsAskedAlone) {
  EXPECT_EQ(plan_calendar(made("1h"), {0, 60}, {}).plan.period, 1) << "four days do not fit";
}

TEST(CalendarPlan, TakesWhatSettingsSay) {
  DataSettings settings;
  settings.period = 168;
  settings.phase = PhaseSource::kRow;
  settings.time_features = {"day_of_year", "hour_of_day"};
  const CalendarPlan plan = planned(made("1h"), settings);
  EXPECT_EQ(plan.period, 168);
  EXPECT_EQ(plan.phase, PhaseSource::kRow);
  EXPECT_EQ(feature_names(plan), (Names{"day_of_year", "hour_of_day"}));
}

// The setting lists the words that the calendar knows: no more, no less.
TEST(CalendarPlan, EveryFeatureCanBeAskedFor) {
  Names known;
  for (std::size_t i = 0; i < kCalendarFeatures; ++i) {
    known.emplace_back(name(static_cast<CalendarFeature>(i)));
  }
  const auto infos = data_settings().infos();
  const auto setting = std::ranges::find(infos, "time-features", &SettingInfo::name);
  ASSERT_NE(setting, infos.end());
  Names words;
  for (const SettingInfo::Option& option : (*setting)->choices) words.push_back(option.name);
  EXPECT_EQ(words, known);
}

}  // namespace
}  // namespace pulsecast
