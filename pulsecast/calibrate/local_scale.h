// How large an error is to be expected, from what is known when the forecast is made.
//
// Errors are larger after a restless look-back, and at some hours of the day than at others: a
// range that knows is narrower at most times and still wide when it must be. The scale of a step is
//
//   deviation^a * recent^b * phases[phase of the step]
//
// of the channel's look-back, on scaled data. It need not be right: scores are errors divided by
// it, and their ranks keep the promise whatever it is. It is learnt from other errors than those
// that are ranked, so that the ranks stay exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/look_back.h"

namespace pulsecast::calibrate {

// Of one channel, or of a panel's one for all.
struct LocalScale {
  static constexpr double kLeastOfMedian = 0.2;  // than which none counts as calmer

  double deviation_power = 0.0;  // a
  double recent_power = 0.0;     // b
  // No look-back counts as calmer than this: a sensor that stands still has not become certain.
  double least_deviation = 0.0;
  double least_recent = 0.0;
  std::vector<float> phases;  // (W); empty where the hour says nothing

  // Medians over the look-backs that the scale was learnt from; 0 where there were none.
  double usual_deviation() const { return least_deviation / kLeastOfMedian; }
  double usual_recent() const { return least_recent / kLeastOfMedian; }

  // What the look-back alone says of it.
  double level(const LookBack& look) const;
  // out (H)
  void of(const LookBack& look, std::span<const std::int32_t> phases_ahead,
          std::span<float> out) const;
};

// One a channel of the sheet. The powers and whether phases count are what makes the errors of its
// newer half most likely under a Laplace law of that scale, with the phases of its older half.
std::vector<LocalScale> learn_scales(const ErrorSheet& sheet, std::size_t period, ThreadPool& pool);

}  // namespace pulsecast::calibrate
