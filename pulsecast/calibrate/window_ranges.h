// The quantiles of one channel's window, as distances from its forecast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/online_correction.h"
#include "pulsecast/calibrate/range_request.h"

namespace pulsecast::calibrate {

class WindowRanges {
 public:
  // All outlive it; `correction` may be null.
  WindowRanges(const Calibration& calibration, const RangeRequest& request,
               const OnlineCorrection* correction);

  // Of a window of the set, on scaled data. phases (H) of its steps.
  void make(std::size_t set, const LookBack& look, std::span<const std::int32_t> phases);

  // Of what was made last. Quantiles of a step ascend with their probabilities.
  float distance(std::size_t p, std::size_t step) const { return distances_[p * horizon_ + step]; }
  std::span<const float> scales() const { return scales_; }  // (H)

 private:
  const Calibration& calibration_;
  const RangeRequest& request_;
  const OnlineCorrection* correction_;
  std::size_t horizon_;
  std::vector<float> scales_;     // (H)
  std::vector<float> distances_;  // (P, H)
};

}  // namespace pulsecast::calibrate
