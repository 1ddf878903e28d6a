#include "pulsecast/search/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::search {
namespace {

// A file of a hundred thousand values has half a minute, one of ten million less than twice that:
// what there is to learn grows far slower than the rows. Small files end before it.
double usual_seconds(std::size_t values) {
  constexpr double kUsual = 25.0;
  constexpr double kValues = 1e5;
  constexpr double kGrowth = 0.16;
  const double seconds = kUsual * std::pow(static_cast<double>(values) / kValues, kGrowth);
  return std::clamp(std::round(seconds), 10.0, 600.0);
}

[[noreturn]] void refuse(std::string_view text) {
  throw make_error(
      ErrorKind::kUsage, Place::of_setting("budget"),
      "'{}' is no budget; expected a time such as 30s, 5m or 2h, a number of steps such "
      "as 2000steps, auto or none",
      text)
      .with(remedy::set("budget", "5m", "searches for five minutes"));
}

}  // namespace

std::optional<Budget> parse_budget(std::string_view text, std::size_t values) {
  if (text == "none") return std::nullopt;
  if (text == "auto") return Budget{usual_seconds(values), std::nullopt};
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || !(number > 0.0) || !std::isfinite(number)) refuse(text);
  if (unit == "steps" && number == std::floor(number) && number <= 1e12) {
    return Budget{std::nullopt, static_cast<std::int64_t>(number)};
  }
  constexpr double kMost = 30.0 * 86400.0;
  const double seconds = unit == "s"   ? number
                         : unit == "m" ? 60.0 * number
                         : unit == "h" ? 3600.0 * number
                                       : 0.0;
  if (!(seconds > 0.0) || seconds > kMost) refuse(text);
  return Budget{seconds, std::nullopt};
}

std::string to_text(const Budget& budget) {
  if (budget.steps) return fmt::format("{} steps", *budget.steps);
  const double seconds = *budget.seconds;
  if (seconds < 120.0) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200.0) return fmt::format("{:.3g} min", seconds / 60.0);
  return fmt::format("{:.3g} h", seconds / 3600.0);
}

}  // namespace pulsecast::search
