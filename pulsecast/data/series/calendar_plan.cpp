#include "pulsecast/data/series/calendar_plan.h"

#include <algorithm>
#include <iterator>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/data/series/period.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

// Steps a day that the step divides; longer steps have less than one.
double steps_a_day(const Step& step) {
  return static_cast<double>(kDayMilliseconds) / step.mean_milliseconds();
}

// Those that come round within the period, or within a week where there is none.
std::vector<CalendarFeature> features_within(std::int32_t period, const Step& step) {
  const bool is_daily = period > 1 && period <= steps_a_day(step) * 1.01;
  const CalendarFeature slowest =
      is_daily ? CalendarFeature::kHourOfDay : CalendarFeature::kDayOfWeek;
  const std::vector<CalendarFeature> all = feature_order(step);
  std::vector<CalendarFeature> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen),
                       [&](CalendarFeature feature) { return feature <= slowest; });
  return chosen.empty() ? all : chosen;
}

std::int32_t period_or_one(const PeriodFinding& finding) {
  return finding.period ? static_cast<std::int32_t>(finding.period->lag) : 1;
}

}  // namespace

CalendarPlan plan_calendar(const Series& series, RowRange rows, const DataSettings& settings) {
  const std::int32_t period = settings.period ? static_cast<std::int32_t>(*settings.period)
                                              : period_or_one(find_period(series, rows));
  return {.features = settings.time_features.empty() ? features_within(period, series.step)
                                                     : parse_features(settings.time_features),
          .period = period,
          .phase = settings.phase.value_or(usual::kPhase)};
}

}  // namespace pulsecast
