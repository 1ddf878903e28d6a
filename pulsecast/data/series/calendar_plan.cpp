#include "pulsecast/data/series/calendar_plan.h"

#include <algorithm>
#include <iterator>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/civil.h"
#include "pulsecast/data/series/period.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

using Cycle = CycleStrength::Cycle;

const CycleStrength* strong(std::span<const CycleStrength> cycles, Cycle cycle) {
  const auto found = std::ranges::find(cycles, cycle, &CycleStrength::cycle);
  return found != cycles.end() && found->is_strong() ? &*found : nullptr;
}

// Whether what the feature counts comes round within the period, or within a week where there is
// none, or is what a strong cycle repeats.
bool is_wanted(CalendarFeature feature, std::int32_t period, const Step& step,
               std::span<const CycleStrength> cycles) {
  const double day = static_cast<double>(kDayMilliseconds) / step.mean_milliseconds();
  switch (feature) {
    case CalendarFeature::kMinuteOfHour:
    case CalendarFeature::kHourOfDay:
      return true;
    case CalendarFeature::kDayOfWeek:
      return period == 1 || period > day * 1.01 || strong(cycles, Cycle::kWeek) != nullptr;
    case CalendarFeature::kDayOfMonth:
      return false;
    case CalendarFeature::kDayOfYear:
    case CalendarFeature::kMonthOfYear:
      return day <= 1.0 && strong(cycles, Cycle::kYear) != nullptr;
    case CalendarFeature::kSeasonOfYear:
    case CalendarFeature::kFirstHoliday:
      break;
  }
  return false;
}

std::vector<CalendarFeature> wanted_features(std::int32_t period, const Step& step,
                                             std::span<const CycleStrength> cycles) {
  const std::vector<CalendarFeature> all = feature_order(step);
  std::vector<CalendarFeature> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](CalendarFeature feature) {
    return is_wanted(feature, period, step, cycles);
  });
  // Of steps of a week or more what is left says where in the year they are.
  return chosen.empty() ? std::vector{all.back()} : chosen;
}

void find_period(const Series& series, RowRange rows, PlannedCalendar& calendar) {
  std::int32_t& period = calendar.plan.period;
  if (const PeriodFinding found = pulsecast::find_period(series, rows); found.period) {
    period = static_cast<std::int32_t>(found.period->lag);
  }
  const CycleStrength* week = strong(calendar.cycles, Cycle::kWeek);
  const CycleStrength* cycle = week;
  if (cycle == nullptr && period == 1) {
    const auto strongest = std::ranges::max_element(calendar.cycles, {}, &CycleStrength::share);
    if (strongest != calendar.cycles.end() && strongest->is_strong()) cycle = &*strongest;
  }
  // A longer cycle that autocorrelation named has the week in it, or is stronger.
  if (cycle == nullptr || period >= static_cast<std::int32_t>(cycle->steps)) return;
  period = static_cast<std::int32_t>(cycle->steps);
  calendar.is_of_calendar = true;
}

void add_holidays(const std::vector<std::string>& countries,
                  std::vector<CalendarFeature>& features) {
  constexpr std::size_t kMostCountries = 2;
  for (const std::string& country : countries) {
    const CalendarFeature feature = holiday_feature(country);
    if (std::ranges::find(features, feature) == features.end()) features.push_back(feature);
  }
  if (countries.size() > kMostCountries || features.size() > kMostFeatures) {
    throw_error(ErrorKind::kUsage, Place::of_setting("holidays"),
                "{} countries and {} features in all are too many; {} and {} are the most",
                countries.size(), features.size(), kMostCountries, kMostFeatures);
  }
}

}  // namespace

PlannedCalendar plan_calendar(const Series& series, RowRange rows, const DataSettings& settings) {
  PlannedCalendar calendar;
  CalendarPlan& plan = calendar.plan;
  const bool is_open = !settings.period || settings.time_features.empty() || !settings.lookback;
  if (is_open) calendar.cycles = measure_cycles(series, rows);
  if (settings.period) {
    plan.period = static_cast<std::int32_t>(*settings.period);
  } else {
    find_period(series, rows, calendar);
  }
  plan.features = settings.time_features.empty()
                      ? wanted_features(plan.period, series.step, calendar.cycles)
                      : parse_features(settings.time_features);
  add_holidays(settings.holidays, plan.features);
  plan.phase = settings.phase.value_or(usual::kPhase);
  return calendar;
}

}  // namespace pulsecast
