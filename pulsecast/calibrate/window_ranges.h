// The quantiles of one channel's window, as distances from its forecast.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/online_correction.h"
#include "pulsecast/calibrate/quantile_head.h"
#include "pulsecast/calibrate/range_request.h"

namespace pulsecast::calibrate {

class WindowRanges {
 public:
  // All outlive it; `correction` may be null.
  WindowRanges(const Calibration& calibration, const RangeRequest& request,
               const OnlineCorrection* correction);

  // Of a window of the set, on scaled data.
  void make(std::size_t set, const Outlook& window);
  // The scales and shifts of a window alone.
  void look(std::size_t set, const Outlook& window);

  // Of what was made last. Quantiles of a step ascend with their probabilities.
  float distance(std::size_t p, std::size_t step) const { return distances_[p * horizon_ + step]; }
  std::span<const float> distances(std::size_t p) const {  // (H)
    return std::span(distances_).subspan(p * horizon_, horizon_);
  }
  std::span<const float> scales() const { return scales_; }  // (H)
  // (P, H): what a head adds to the quantiles of the scores; empty where there is none.
  std::span<const float> shifts() const { return shifts_; }

 private:
  const Calibration& calibration_;
  const RangeRequest& request_;
  const OnlineCorrection* correction_;
  std::size_t horizon_;
  std::optional<HeadReader> reader_;
  std::vector<float> scales_;     // (H)
  std::vector<float> shifts_;     // (P, H)
  std::vector<float> distances_;  // (P, H)
};

}  // namespace pulsecast::calibrate
