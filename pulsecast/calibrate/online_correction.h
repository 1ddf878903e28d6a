// Ranges that follow what has come since the model was calibrated.
//
// Each quantile of each channel and step has a correction, in units of scores, that is moved after
// every forecast whose step has come: up by a share p of its unit where the value lay above it,
// down by 1 - p where it did not. Where the share of values below it is not p, the corrections add
// up until it is: the integral part of a controller on realised misses, which keeps coverage over
// time whatever the series does (Gibbs and Candes, 2021). A proportional part was measured and gave
// nothing (docs/decisions/0047-online-correction.md).
//
// A quantile is judged by itself, where it lies before those of a step are sorted: where values
// crowd in one place quantiles cross, and one that were moved by the misses of another would not
// come back.
//
// The error of step h of a forecast is known h rows later and counts then, never sooner. Late steps
// are told late, and of windows that overlap, so they move in smaller steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/range_request.h"

namespace pulsecast::calibrate {

class OnlineCorrection {
 public:
  // Of channels that are forecast together. Both outlive it.
  OnlineCorrection(const Calibration& calibration, const RangeRequest& request);

  // Rows before `row` have come.
  void advance(std::size_t row);

  // The window whose first step is `row`, of which rows before it have come. Rows ascend.
  void begin(std::size_t row);
  // The scores (H) that it will turn out to have in a set; NaN where a step has not come at all.
  // shifts (P, H): what a head adds to the set's quantiles for this window, or empty. It is judged
  // by the corrections as they are now.
  void add(std::size_t set, std::span<const float> scores, std::span<const float> shifts = {});

  // The quantile of the scores with its correction.
  float score(std::size_t set, std::size_t step, std::size_t p) const {
    return calibration_.score(set, step, request_.place(p)) + offset(set, step, p);
  }
  float offset(std::size_t set, std::size_t step, std::size_t p) const {
    return offsets_[(set * calibration_.horizon() + step) * request_.size() + p];
  }

  // Windows of which at least a step has counted.
  std::size_t matured() const { return matured_; }

 private:
  struct Window {
    std::size_t row;
    // (H, sets, marks_) bits: whether there is a score, and of each quantile whether it lay above.
    std::vector<std::uint8_t> marks;
  };

  void learn(const Window& window, std::size_t step);

  const Calibration& calibration_;
  const RangeRequest& request_;
  std::size_t marks_;              // bytes of a step's bits
  std::vector<float> units_;       // (sets, H, P) of a move
  std::vector<float> offsets_;     // (sets, H, P)
  std::deque<Window> windows_;     // of which steps are still to come
  std::vector<std::size_t> next_;  // (H) number of the window whose step is the next to count
  std::size_t dropped_ = 0;        // windows that came before the first of these
  std::size_t matured_ = 0;
};

}  // namespace pulsecast::calibrate
