#include "pulsecast/calendar/frequency.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "pulsecast/calendar/civil.h"

namespace pulsecast {
namespace {

// The most frequent interval; the shorter of two that are equally frequent.
std::int64_t dominant_interval(std::span<const Instant> stamps) {
  std::unordered_map<std::int64_t, std::size_t> counts;
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    ++counts[stamps[i].milliseconds - stamps[i - 1].milliseconds];
  }
  std::int64_t best = 0;
  std::size_t most = 0;
  for (const auto& [interval, count] : counts) {
    if (count > most || (count == most && interval < best)) {
      best = interval;
      most = count;
    }
  }
  return best;
}

std::size_t count_agreeing(std::span<const Instant> stamps, const Step& step, const Zone& zone) {
  std::size_t agreeing = 0;
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    agreeing += step.add(stamps[i - 1], 1, zone) == stamps[i] ? 1 : 0;
  }
  return agreeing;
}

// What the days of all stamps have in common.
struct Days {
  bool are_month_ends = true;  // and some month is shorter than 31 days: the 31st is a day, too
  bool are_business_days = true;
};

Days days_of(std::span<const Instant> stamps, const Zone& zone) {
  Days days;
  bool has_short_month = false;
  for (const Instant stamp : stamps) {
    const WallTime wall = zone.to_wall(stamp);
    days.are_month_ends = days.are_month_ends && is_month_end(wall);
    days.are_business_days = days.are_business_days && wall.weekday < 5;
    if (!days.are_month_ends && !days.are_business_days) return days;
    has_short_month = has_short_month || wall.day < 31;
  }
  days.are_month_ends = days.are_month_ends && has_short_month;
  return days;
}

// Calendar steps whose length an interval could be, give or take a change of clocks and the
// uneven months; the coarsest first, and of two that explain the stamps equally the likelier first.
std::vector<Step> calendar_candidates(std::int64_t interval, std::span<const Instant> stamps,
                                      const Zone& zone) {
  constexpr double kMeanMonthDays = 365.2425 / 12.0;
  constexpr double kDay = static_cast<double>(kDayMilliseconds);
  constexpr double kClockChange = 1.0 / 24.0;
  constexpr double kUnevenMonths = 3.0;
  std::vector<Step> candidates;
  const double days = static_cast<double>(interval) / kDay;
  if (days < 1.0 - kClockChange) return candidates;
  const Days common = days_of(stamps, zone);
  const double months = std::round(days / kMeanMonthDays);
  if (months >= 1.0 && std::abs(days - months * kMeanMonthDays) <= kUnevenMonths) {
    const auto count = static_cast<std::int64_t>(months);
    candidates.emplace_back(Step::Unit::kMonth, count);
    candidates.emplace(common.are_month_ends ? candidates.begin() : candidates.end(),
                       Step::Unit::kMonthEnd, count);
  }
  const double whole = std::round(days);
  if (whole >= 1.0 && std::abs(days - whole) <= kClockChange) {
    candidates.emplace_back(Step::Unit::kDay, static_cast<std::int64_t>(whole));
    // Within a week they are days like any other; a row of a weekend makes them days, too.
    if (whole == 1.0 && common.are_business_days) {
      candidates.emplace_back(Step::Unit::kBusinessDay, 1);
    }
  }
  return candidates;
}

}  // namespace

std::optional<Frequency> infer_frequency(std::span<const Instant> stamps, const Zone& zone) {
  std::vector<Instant> ordered(stamps.begin(), stamps.end());
  std::ranges::sort(ordered);
  ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
  if (ordered.size() < 2) return std::nullopt;

  const std::int64_t interval = dominant_interval(ordered);
  std::vector<Step> candidates = calendar_candidates(interval, ordered, zone);
  // Beyond a thousand years apart only the calendar has a name for it.
  constexpr std::int64_t kLongest = 1000 * 366 * kDayMilliseconds;
  candidates.emplace_back(Step::Unit::kMillisecond, std::min(interval, kLongest));

  Frequency best;
  for (const Step& step : candidates) {
    const std::size_t agreeing = count_agreeing(ordered, step, zone);
    if (agreeing > best.agreeing || best.intervals == 0) {
      best = {step, agreeing, ordered.size() - 1};
    }
  }
  return best;
}

}  // namespace pulsecast
