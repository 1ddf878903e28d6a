#include "pulsecast/calendar/features.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/civil.h"

namespace pulsecast {
namespace {

struct FeatureRow {
  CalendarFeature feature;
  std::string_view name;
  float largest;  // count at which the value is 0.5
  double cycle;   // milliseconds in which the count comes round
};

constexpr double kDayLength = static_cast<double>(kDayMilliseconds);

constexpr std::array kFeatures = std::to_array<FeatureRow>({
    {CalendarFeature::kMinuteOfHour, "minute_of_hour", 59.0f, kDayLength / 24.0},
    {CalendarFeature::kHourOfDay, "hour_of_day", 23.0f, kDayLength},
    {CalendarFeature::kDayOfWeek, "day_of_week", 6.0f, 7.0 * kDayLength},
    {CalendarFeature::kDayOfMonth, "day_of_month", 30.0f, 28.0 * kDayLength},
    {CalendarFeature::kDayOfYear, "day_of_year", 365.0f, 365.0 * kDayLength},
});

const FeatureRow& row_of(CalendarFeature feature) {
  return kFeatures[static_cast<std::size_t>(feature)];
}

std::string all_names() {
  std::vector<std::string_view> names;
  for (const FeatureRow& row : kFeatures) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string_view name(CalendarFeature feature) { return row_of(feature).name; }

std::vector<CalendarFeature> parse_features(std::span<const std::string> names) {
  std::vector<CalendarFeature> features;
  for (const std::string& text : names) {
    const auto found = std::ranges::find(kFeatures, text, &FeatureRow::name);
    if (found == kFeatures.end()) {
      throw_error(ErrorKind::kUsage, "calendar features", "there is no feature '{}'; there are {}",
                  text, all_names());
    }
    if (std::ranges::find(features, found->feature) != features.end()) {
      throw_error(ErrorKind::kUsage, "calendar features", "'{}' is named twice; leave one out",
                  text);
    }
    features.push_back(found->feature);
  }
  return features;
}

std::vector<CalendarFeature> feature_order(const Step& step) {
  std::vector<CalendarFeature> order;
  for (const FeatureRow& row : kFeatures) {
    if (step.mean_milliseconds() < row.cycle) order.push_back(row.feature);
  }
  return order;
}

std::int32_t feature_count(CalendarFeature feature, const WallTime& wall) {
  switch (feature) {
    case CalendarFeature::kMinuteOfHour:
      return wall.minute;
    case CalendarFeature::kHourOfDay:
      return wall.hour;
    case CalendarFeature::kDayOfWeek:
      return wall.weekday;
    case CalendarFeature::kDayOfMonth:
      return wall.day - 1;
    case CalendarFeature::kDayOfYear:
      return wall.day_of_year - 1;
  }
  return 0;
}

float feature_value(CalendarFeature feature, const WallTime& wall) {
  return static_cast<float>(feature_count(feature, wall)) / row_of(feature).largest - 0.5f;
}

std::uint64_t calendar_number(std::span<const CalendarFeature> features, const WallTime& wall) {
  // Counts are below 366, so nine bits hold one.
  static_assert(9 * kCalendarFeatures <= 64);
  std::uint64_t packed = 0;
  for (const CalendarFeature feature : features) {
    packed = packed << 9 | static_cast<std::uint64_t>(feature_count(feature, wall));
  }
  return packed;
}

void feature_values(std::span<const CalendarFeature> features, const WallTime& wall, float* out) {
  for (std::size_t i = 0; i < features.size(); ++i) out[i] = feature_value(features[i], wall);
}

}  // namespace pulsecast
