#include "pulsecast/calendar/stretch.h"

#include <charconv>
#include <cmath>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kMostSteps = 100000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Months are no fixed number of days, so a time in one unit is counted in steps of that unit only.
// Of business days a week has five.
std::optional<double> quotient(const Step& time, const Step& step) {
  if (time.is_in_months() != step.is_in_months()) return std::nullopt;
  constexpr auto kBusinessDay = Step::Unit::kBusinessDay;
  const bool is_week = time.unit() == Step::Unit::kDay && time.count() % 7 == 0;
  const bool mixes_business_days = (time.unit() == kBusinessDay) != (step.unit() == kBusinessDay);
  if (mixes_business_days && !(step.unit() == kBusinessDay && is_week)) return std::nullopt;
  return time.mean_milliseconds() / step.mean_milliseconds();
}

}  // namespace

std::int64_t steps_in(std::string_view text, const std::optional<Step>& step, const Place& place,
                      std::int64_t least) {
  std::int64_t steps = 0;
  if (const auto number = whole_number(text)) {
    steps = *number;
  } else {
    Step time;
    try {
      time = Step::parse(text);
    } catch (const Error&) {
      throw_error(ErrorKind::kUsage, place,
                  "expected steps such as 96, or a time such as 48h, 7d or 12mo; got '{}'",
                  text.substr(0, 80));
    }
    if (!step) {
      throw make_error(ErrorKind::kUsage, place,
                       "'{}' is a time, but the step of the rows is not known", text.substr(0, 80))
          .with(remedy::advice("give steps"))
          .with(remedy::example("step", "1h", "says it"));
    }
    const std::optional<double> exact = quotient(time, *step);
    if (!exact || std::abs(*exact - std::round(*exact)) > 1e-9 * *exact || *exact < 0.5) {
      throw_error(ErrorKind::kUsage, place, "'{}' is not a whole number of steps of {}",
                  text.substr(0, 80), step->to_string());
    }
    steps = static_cast<std::int64_t>(std::llround(std::min(*exact, 1e12)));
  }
  if (steps < least || steps > kMostSteps) {
    throw_error(ErrorKind::kUsage, place, "expected {} to {} steps, got {}", least, kMostSteps,
                steps);
  }
  return steps;
}

}  // namespace pulsecast
