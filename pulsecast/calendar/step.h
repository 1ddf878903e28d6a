// The time from one row to the next.
//
// A step is a fixed time (15 minutes, 1 hour), or a number of calendar days, business days, months
// or month ends. Fixed steps count time that passes: a day on which clocks change has 23 or 25 of
// one hour. Calendar steps keep the wall clock: a day after 09:00 is 09:00, whether 23, 24 or 25
// hours lie between. Business days are Monday to Friday: one after a Friday is a Monday.
//
// Where the wall clock skips the time of a calendar step, the step lands as much later as the
// clocks went forward; where it shows it twice, on the earlier one. A month after the 31st is the
// last day of the next month. So n steps are always counted from one anchor: adding one month
// twice to 31 January is not adding two. Month ends are steps of their own, which need no such
// care: one after 28 February is 31 March. From a day that is no business day, or no month end,
// steps are counted from the nearest one behind: the first one forward is the next there is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

class Step {
 public:
  enum class Unit { kMillisecond, kDay, kBusinessDay, kMonth, kMonthEnd };

  // One hour.
  Step() = default;
  // `count` of 1 or more. Throws Error(kUsage), as parse() does.
  Step(Unit unit, std::int64_t count);
  // "500ms", "30s", "15min", "1h", "7d", "2w", "1b" (a business day), "1mo", "1q", "1y", "1me" (a
  // month end); a unit alone is one of it.
  static Step parse(std::string_view text);

  Unit unit() const { return unit_; }
  std::int64_t count() const { return count_; }
  // In the largest unit that fits, as parse() reads it: "15min", "7d", "1mo".
  std::string to_string() const;
  // Whether it counts months, or their ends.
  bool is_in_months() const { return unit_ == Unit::kMonth || unit_ == Unit::kMonthEnd; }
  // Milliseconds, months taken as a twelfth of 365.2425 days and business days as a fifth of a
  // week.
  double mean_milliseconds() const;

  // The instant `steps` later (earlier, when negative).
  Instant add(Instant from, std::int64_t steps, const Zone& zone) const;
  // The whole steps from `from` up to `to`: the largest n with add(from, n) <= to.
  std::int64_t between(Instant from, Instant to, const Zone& zone) const;

  friend bool operator==(const Step&, const Step&) = default;

 private:
  Unit unit_ = Unit::kMillisecond;
  std::int64_t count_ = 3600 * 1000;
};

}  // namespace pulsecast
