#include "pulsecast/data/calendar_plan.h"

#include <algorithm>
#include <iterator>

#include "pulsecast/data/period.h"

namespace pulsecast {
namespace {

std::vector<CalendarFeature> features_within_a_week(const Step& step) {
  const std::vector<CalendarFeature> all = feature_order(step);
  std::vector<CalendarFeature> weekly;
  std::ranges::copy_if(all, std::back_inserter(weekly), [](CalendarFeature feature) {
    return feature <= CalendarFeature::kDayOfWeek;
  });
  return weekly.empty() ? all : weekly;
}

std::int32_t period_or_one(const PeriodFinding& finding) {
  return finding.period ? static_cast<std::int32_t>(finding.period->lag) : 1;
}

}  // namespace

CalendarPlan plan_calendar(const Series& series, RowRange rows, const DataSettings& settings) {
  return {.features = settings.time_features.empty() ? features_within_a_week(series.step)
                                                     : parse_features(settings.time_features),
          .period = settings.period ? static_cast<std::int32_t>(*settings.period)
                                    : period_or_one(find_period(series, rows)),
          .phase = settings.phase};
}

}  // namespace pulsecast
