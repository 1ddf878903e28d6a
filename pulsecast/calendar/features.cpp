#include "pulsecast/calendar/features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/holidays.h"

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
    {CalendarFeature::kMonthOfYear, "month_of_year", 11.0f, 365.0 * kDayLength},
    {CalendarFeature::kSeasonOfYear, "season_of_year", 3.0f, 365.0 * kDayLength},
});

constexpr std::string_view kHolidayPrefix = "holiday_";

std::size_t country_of(CalendarFeature feature) {
  return static_cast<std::size_t>(feature) -
         static_cast<std::size_t>(CalendarFeature::kFirstHoliday);
}

CalendarFeature feature_of(std::size_t country) {
  return static_cast<CalendarFeature>(static_cast<std::size_t>(CalendarFeature::kFirstHoliday) +
                                      country);
}

const std::string& holiday_name(std::size_t country) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names = holiday_countries();
    for (std::string& name : names) name.insert(0, kHolidayPrefix);
    return names;
  }();
  return kNames[country];
}

// Of a feature that is no holiday.
const FeatureRow& row_of(CalendarFeature feature) {
  return kFeatures[static_cast<std::size_t>(feature)];
}

std::string all_names() {
  std::vector<std::string_view> names;
  for (const FeatureRow& row : kFeatures) names.push_back(row.name);
  return fmt::format("{} and {}DE", fmt::join(names, ", "), kHolidayPrefix);
}

CalendarFeature parse_feature(std::string_view text) {
  if (text.starts_with(kHolidayPrefix)) return holiday_feature(text.substr(kHolidayPrefix.size()));
  const auto found = std::ranges::find(kFeatures, text, &FeatureRow::name);
  if (found == kFeatures.end()) {
    throw_error(ErrorKind::kUsage, "calendar features", "there is no feature '{}'; there are {}",
                text, all_names());
  }
  return found->feature;
}

}  // namespace

std::string_view name(CalendarFeature feature) {
  if (is_holiday_feature(feature)) return holiday_name(country_of(feature));
  return row_of(feature).name;
}

bool is_holiday_feature(CalendarFeature feature) {
  return feature >= CalendarFeature::kFirstHoliday;
}

CalendarFeature holiday_feature(std::string_view country) {
  const std::optional<std::size_t> found = holiday_country(country);
  if (!found) {
    throw_error(ErrorKind::kUsage, Place::of_setting("holidays"),
                "no holidays of '{}' are known; there are those of {}", country.substr(0, 40),
                fmt::join(holiday_countries(), ", "));
  }
  return feature_of(*found);
}

std::vector<CalendarFeature> parse_features(std::span<const std::string> names) {
  std::vector<CalendarFeature> features;
  for (const std::string& text : names) {
    const CalendarFeature feature = parse_feature(text);
    if (std::ranges::find(features, feature) != features.end()) {
      throw_error(ErrorKind::kUsage, "calendar features", "'{}' is named twice; leave one out",
                  text);
    }
    features.push_back(feature);
  }
  if (features.size() > kMostFeatures) {
    throw_error(ErrorKind::kUsage, "calendar features", "{} are named, and {} are the most",
                features.size(), kMostFeatures);
  }
  return features;
}

std::vector<CalendarFeature> feature_order(const Step& step) {
  std::vector<CalendarFeature> order;
  for (const FeatureRow& row : kFeatures) {
    if (row.feature == CalendarFeature::kMonthOfYear) break;
    if (step.mean_milliseconds() < row.cycle) order.push_back(row.feature);
  }
  if (step.is_in_months() || order.empty()) return {CalendarFeature::kMonthOfYear};
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
    case CalendarFeature::kMonthOfYear:
      return wall.month - 1;
    case CalendarFeature::kSeasonOfYear:
      return (wall.month / 3 + 3) % 4;
    case CalendarFeature::kFirstHoliday:
      break;
  }
  return is_holiday(country_of(feature), wall) ? 1 : 0;
}

float feature_value(CalendarFeature feature, const WallTime& wall) {
  const float largest = is_holiday_feature(feature) ? 1.0f : row_of(feature).largest;
  return static_cast<float>(feature_count(feature, wall)) / largest - 0.5f;
}

std::uint64_t calendar_number(std::span<const CalendarFeature> features, const WallTime& wall) {
  // Counts are below 366, so nine bits hold one.
  static_assert(9 * kMostFeatures <= 64);
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
