#include "pulsecast/train/lookback_wish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/windows/window_steps.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kUsual = static_cast<std::size_t>(kUsualLookback);
constexpr std::size_t kMostOfWeeks = 336;  // two weeks of hours

// Weights that thousands of windows share can tell weeks apart: two of them, where a week is a
// whole number of steps and no more than a few hundred.
std::size_t panel_lookback(const Series& series) {
  constexpr double kWeek = 7.0 * 86'400'000.0;
  constexpr std::size_t kMostWeek = 168;
  const double week = kWeek / series.step.mean_milliseconds();
  if (week < 2.0 || week != std::floor(week) || week > kMostWeek) return kUsual;
  return std::max(kUsual, 2 * static_cast<std::size_t>(week));
}

}  // namespace

LookbackWish wished_lookback(const Series& series, std::size_t period,
                             std::span<const CycleStrength> cycles, bool is_panel) {
  const std::size_t usual = is_panel ? panel_lookback(series) : kUsual;
  const auto at_least = [&](std::size_t unit) { return (usual + unit - 1) / unit; };
  if (period == 1) return {1, usual, "the usual, where there is no period"};
  const auto week = std::ranges::find(cycles, CycleStrength::Cycle::kWeek, &CycleStrength::cycle);
  if (week != cycles.end() && week->is_strong() && period == week->steps && period > usual) {
    const std::size_t weeks = kMostOfWeeks / week->steps;
    if (weeks > 0)
      return {period, std::min<std::size_t>(weeks, 2), "whole weeks: the week is strong"};
    const std::size_t day = week->steps / 7;
    return {day, at_least(day), "whole days: a week would be too long to train on"};
  }
  return {period, at_least(period),
          fmt::format("{}, at least {} steps", counted(at_least(period), "period"), usual)};
}

LookbackChoice within(const LookbackWish& wish, std::size_t most) {
  const std::size_t wished = wish.unit * wish.units;
  if (wished <= most) return {wished, wish.why};
  const std::size_t units = most / wish.unit;
  if (units == 0 || wish.unit == 1) return {most, "the rows allow no more"};
  return {units * wish.unit, counted(units, "period") + ": the rows allow no more"};
}

}  // namespace pulsecast::train
