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

bool ends_month(const WallTime& wall) { return wall.day == days_in_month(wall.year, wall.month); }

bool same_time_of_day(const WallTime& a, const WallTime& b) {
  return a.hour == b.hour && a.minute == b.minute && a.second == b.second &&
         a.millisecond == b.millisecond;
}

std::int64_t month_number(const WallTime& wall) {
  return std::int64_t{wall.year} * 12 + wall.month;
}

bool one_step_apart(Instant a, Instant b, const Step& step, const Zone& zone) {
  if (step.add(a, 1, zone) == b) return true;
  if (step.unit() != Step::Unit::kMonth) return false;
  // 31 January, 28 February, 31 March: one month each, though not one month after each other.
  const WallTime from = zone.to_wall(a);
  const WallTime to = zone.to_wall(b);
  return ends_month(from) && ends_month(to) && same_time_of_day(from, to) &&
         month_number(to) - month_number(from) == step.count();
}

std::size_t count_agreeing(std::span<const Instant> stamps, const Step& step, const Zone& zone) {
  std::size_t agreeing = 0;
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    agreeing += one_step_apart(stamps[i - 1], stamps[i], step, zone) ? 1 : 0;
  }
  return agreeing;
}

// Calendar steps whose length an interval could be, give or take a change of clocks and the
// uneven months; the coarsest first.
std::vector<Step> calendar_candidates(std::int64_t interval) {
  constexpr double kMeanMonthDays = 365.2425 / 12.0;
  constexpr double kDay = static_cast<double>(kDayMilliseconds);
  constexpr double kClockChange = 1.0 / 24.0;
  constexpr double kUnevenMonths = 3.0;
  std::vector<Step> candidates;
  const double days = static_cast<double>(interval) / kDay;
  const double months = std::round(days / kMeanMonthDays);
  if (months >= 1.0 && std::abs(days - months * kMeanMonthDays) <= kUnevenMonths) {
    candidates.emplace_back(Step::Unit::kMonth, static_cast<std::int64_t>(months));
  }
  const double whole = std::round(days);
  if (whole >= 1.0 && std::abs(days - whole) <= kClockChange) {
    candidates.emplace_back(Step::Unit::kDay, static_cast<std::int64_t>(whole));
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
  std::vector<Step> candidates = calendar_candidates(interval);
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
