#include "pulsecast/train/calibration_split.h"

#include <algorithm>

namespace pulsecast::train {

CalibrationSplit split_for_calibration(RowRange validation, double share, std::size_t horizon) {
  const auto newest = static_cast<std::size_t>(static_cast<double>(validation.size()) * share);
  if (newest < horizon || validation.size() - newest < horizon) {
    return {validation, {validation.end, validation.end}};
  }
  const std::size_t cut = validation.end - newest;
  return {{validation.begin, cut}, {cut, validation.end}};
}

std::vector<bool> series_that_calibrate(std::span<const RowRange> validation, double share) {
  const auto some = std::ranges::count_if(validation, [](RowRange r) { return r.size() > 0; });
  std::vector<bool> calibrates(validation.size(), false);
  if (some < 2) return calibrates;
  // Spread evenly over those that have rows: files are often sorted by what the series are.
  double due = 0.0;
  for (std::size_t s = 0; s < validation.size(); ++s) {
    if (validation[s].size() == 0) continue;
    due += share;
    if (due < 1.0) continue;
    calibrates[s] = true;
    due -= 1.0;
  }
  return calibrates;
}

Part take_calibration(const Plan& plan, double share, Part& validation) {
  Part kept{{validation.rows.end, validation.rows.end}, {}};
  if (plan.spread) {
    validation = {plan.spread->newest(), {}, plan.spread->blocks};
    kept.rows = plan.spread->calibrates;
    return kept;
  }
  if (share == 0.0) return kept;
  if (!plan.is_panel()) {
    const CalibrationSplit split =
        split_for_calibration(validation.rows, share, plan.shape.horizon);
    validation.rows = split.stops;
    kept.rows = split.calibrates;
    return kept;
  }
  const std::vector<bool> calibrates = series_that_calibrate(validation.of_series, share);
  if (std::ranges::count(calibrates, true) == 0) return kept;
  kept = validation;
  for (std::size_t s = 0; s < calibrates.size(); ++s) {
    RowRange& other = (calibrates[s] ? validation : kept).of_series[s];
    other.begin = other.end;
  }
  return kept;
}

}  // namespace pulsecast::train
