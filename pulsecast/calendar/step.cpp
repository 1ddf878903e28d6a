#include "pulsecast/calendar/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/civil.h"

namespace pulsecast {
namespace {

// Steps of more than a thousand years are slips of the finger, and keep sums far from overflow.
constexpr std::int64_t kLongestMilliseconds = 1000 * 366 * kDayMilliseconds;
constexpr std::int64_t kLongestDays = 1000 * 366;
constexpr std::int64_t kLongestMonths = 1000 * 12;

struct UnitName {
  std::string_view name;
  Step::Unit unit;
  std::int64_t count;
};

// Largest first, within each unit: to_string() takes the first that fits, and so the first name of
// each size is the one it prints.
constexpr std::array kUnitNames = std::to_array<UnitName>({
    {"y", Step::Unit::kMonth, 12},
    {"mo", Step::Unit::kMonth, 1},
    {"q", Step::Unit::kMonth, 3},
    {"me", Step::Unit::kMonthEnd, 1},
    {"b", Step::Unit::kBusinessDay, 1},
    {"d", Step::Unit::kDay, 1},
    {"w", Step::Unit::kDay, 7},
    {"h", Step::Unit::kMillisecond, kHourMilliseconds},
    {"min", Step::Unit::kMillisecond, kMinuteMilliseconds},
    {"s", Step::Unit::kMillisecond, kSecondMilliseconds},
    {"ms", Step::Unit::kMillisecond, 1},
});

std::int64_t longest(Step::Unit unit) {
  switch (unit) {
    case Step::Unit::kMillisecond:
      return kLongestMilliseconds;
    case Step::Unit::kDay:
    case Step::Unit::kBusinessDay:
      return kLongestDays;
    case Step::Unit::kMonth:
    case Step::Unit::kMonthEnd:
      return kLongestMonths;
  }
  return 0;
}

// Business days and month ends are counted from the nearest one behind the direction of travel.
WallTime later(const WallTime& wall, Step::Unit unit, std::int64_t units) {
  switch (unit) {
    case Step::Unit::kMillisecond:
      break;
    case Step::Unit::kDay:
      return days_later(wall, units);
    case Step::Unit::kBusinessDay:
      return business_days_later(wall, units);
    case Step::Unit::kMonth:
      return months_later(wall, units);
    case Step::Unit::kMonthEnd:
      return month_ends_later(wall, units);
  }
  return wall;
}

[[noreturn]] void refuse(std::string_view text) {
  throw_error(
      ErrorKind::kUsage, "step",
      "expected a number and a unit (ms, s, min, h, d, b, w, mo, me, q or y) such as 15min, 1h, 7d "
      "or 1mo, up to 1000 years; got '{}'",
      text.substr(0, 64));
}

}  // namespace

Step::Step(Unit unit, std::int64_t count) : unit_(unit), count_(count) {
  if (count < 1 || count > longest(unit)) refuse(fmt::format("{} of its unit", count));
}

Step Step::parse(std::string_view text) {
  std::int64_t number = 1;
  std::string_view unit = text;
  if (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) refuse(text);
    unit = text.substr(static_cast<std::size_t>(stop - text.data()));
  }
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto found = std::ranges::find(kUnitNames, unit, &UnitName::name);
  if (found == kUnitNames.end() || number < 1 || number > longest(found->unit) / found->count) {
    refuse(text);
  }
  return {found->unit, number * found->count};
}

std::string Step::to_string() const {
  for (const UnitName& name : kUnitNames) {
    if (name.unit == unit_ && count_ % name.count == 0) {
      return fmt::format("{}{}", count_ / name.count, name.name);
    }
  }
  return fmt::format("{}ms", count_);
}

double Step::mean_milliseconds() const {
  constexpr double kMeanMonth = 365.2425 / 12.0 * static_cast<double>(kDayMilliseconds);
  switch (unit_) {
    case Unit::kMillisecond:
      return static_cast<double>(count_);
    case Unit::kDay:
      return static_cast<double>(count_ * kDayMilliseconds);
    case Unit::kBusinessDay:
      return static_cast<double>(count_) * 7.0 / 5.0 * static_cast<double>(kDayMilliseconds);
    case Unit::kMonth:
    case Unit::kMonthEnd:
      return static_cast<double>(count_) * kMeanMonth;
  }
  return 0.0;
}

Instant Step::add(Instant from, std::int64_t steps, const Zone& zone) const {
  if (unit_ == Unit::kMillisecond) return {from.milliseconds + steps * count_};
  if (unit_ == Unit::kDay && zone.is_utc()) {
    return {from.milliseconds + steps * count_ * kDayMilliseconds};
  }
  if (steps == 0) return from;
  return earliest_instant(later(zone.to_wall(from), unit_, steps * count_), zone);
}

std::int64_t Step::between(Instant from, Instant to, const Zone& zone) const {
  const std::int64_t elapsed = to.milliseconds - from.milliseconds;
  if (unit_ == Unit::kMillisecond) {
    return elapsed / count_ - (elapsed % count_ < 0 ? 1 : 0);
  }
  // The mean length is off by a day or two at most however far the two lie apart.
  auto steps =
      static_cast<std::int64_t>(std::floor(static_cast<double>(elapsed) / mean_milliseconds()));
  while (add(from, steps, zone) > to) --steps;
  while (add(from, steps + 1, zone) <= to) ++steps;
  return steps;
}

}  // namespace pulsecast
