#include "apps/cli/range_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pulsecast::cli {
namespace {

// A line for each of some things: coverage, width and score of every level.
template <typename Errors, typename Name>
std::string coverage_lines(std::span<const RangesScored> scored, const char* title,
                           std::size_t count, Errors errors, Name name) {
  if (scored.empty() || scored.back().levels.empty()) return "";
  const RangesScored& last = scored.back();
  std::string text = fmt::format("\n{:<24}", fmt::format("ranges {}, by {}", last.name, title));
  for (const LevelScored& level : last.levels) {
    text += fmt::format("{:>12}{:>10}{:>10}", fmt::format("{:g} %", level.scaled.level), "width",
                        "score");
  }
  text += "\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("{:<32}", name(i));
    for (const LevelScored& level : last.levels) {
      const IntervalErrors& own = errors(level, i);
      text +=
          fmt::format("{:>8.1f} %{:>10.4f}{:>10.4f}", 100.0 * own.coverage, own.width, own.score);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string ranges_overview(std::span<const RangesScored> scored) {
  if (scored.empty()) return "";
  std::string text =
      fmt::format("\n{:<24}{:>7}{:>10}{:>16}{:>16}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "ranges", "level",
                  "coverage", "95 % sure", "by step", "width", "score", "MSIS", "WQL", "CRPS");
  for (const RangesScored& ranges : scored) {
    for (const LevelScored& level : ranges.levels) {
      const auto [least, most] =
          std::ranges::minmax(level.scaled.per_step, {}, &IntervalErrors::coverage);
      text += fmt::format(
          "{:<24}{:>5.3g} %{:>8.1f} %{:>14}{:>16}{:>11.4f}{:>9.4f}{:>9.3f}{:>9.4f}{:>9.4f}\n",
          ranges.name, level.scaled.level, 100.0 * level.scaled.overall.coverage,
          fmt::format("{:.1f}-{:.1f}", 100.0 * level.coverage.lower, 100.0 * level.coverage.upper),
          fmt::format("{:.1f}-{:.1f}", 100.0 * least.coverage, 100.0 * most.coverage),
          level.scaled.overall.width, level.scaled.overall.score, level.msis,
          ranges.weighted_quantile_loss, ranges.crps);
    }
  }
  return text +
         "Coverage is the share of values inside; 'sure' is a block bootstrap over windows. "
         "'corrected' follows the\nmisses of the windows before each, as far as they had come.\n";
}

std::string ranges_per_channel(std::span<const RangesScored> scored,
                               const std::vector<std::string>& channels) {
  return coverage_lines(
      scored, "channel", channels.size(),
      [](const LevelScored& level, std::size_t c) -> auto& { return level.scaled.per_channel[c]; },
      [&](std::size_t c) { return channels[c]; });
}

std::string ranges_per_step(std::span<const RangesScored> scored) {
  if (scored.empty() || scored.back().levels.empty()) return "";
  return coverage_lines(
      scored, "step", scored.back().levels.front().scaled.per_step.size(),
      [](const LevelScored& level, std::size_t h) -> auto& { return level.scaled.per_step[h]; },
      [](std::size_t h) { return std::to_string(h + 1); });
}

std::string ranges_per_month(std::span<const RangesScored> scored) {
  if (scored.empty() || scored.back().levels.empty()) return "";
  const std::vector<MonthRanges>& months = scored.back().levels.front().per_month;
  return coverage_lines(
      scored, "month", months.size(),
      [](const LevelScored& level, std::size_t m) -> auto& { return level.per_month[m].errors; },
      [&](std::size_t m) { return months[m].month; });
}

}  // namespace pulsecast::cli
