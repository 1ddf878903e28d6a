// Ranges of many windows, scored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/calibrate/range_request.h"
#include "pulsecast/evaluate/range_scored.h"
#include "pulsecast/metrics/interval_scores.h"
#include "pulsecast/metrics/quantile_loss.h"

namespace pulsecast {

class RangeScores {
 public:
  // `request` and `months` outlive it. months: of every row that is forecast, see months_of(), or
  // none.
  RangeScores(std::string name, const calibrate::RangeRequest& request, std::size_t channels,
              std::size_t horizon, std::span<const std::int32_t> months = {});

  // A window of a channel whose first step is `row`: distance(p, h) of each quantile from the
  // forecast, whose errors (H) are truth - forecast, around `truth` (H). All scaled.
  template <typename Distance>
  void add(std::size_t channel, std::size_t row, std::span<const float> errors,
           std::span<const float> truth, Distance&& distance) {
    const std::size_t P = request_.size();
    for (std::size_t h = 0; h < horizon_; ++h) {
      const double came = truth[h];
      const double said = came - double{errors[h]};
      for (std::size_t p = 0; p < P; ++p) quantiles_[p] = said + double{distance(p, h)};
      losses_.add(quantiles_, came);
      for (std::size_t i = 0; i < request_.levels().size(); ++i) {
        const auto& level = request_.levels()[i];
        const double lower = quantiles_[level.lower];
        const double upper = quantiles_[level.upper];
        sums_[i][channel].add_step(h, lower, upper, came);
        inside_[i][h] += lower <= came && came <= upper;
        if (!months_.empty()) add_month(i, months_[row + h], lower, upper, came);
      }
    }
    ++channels_here_;
  }
  // All channels of a window have been added; windows come in the order of time.
  void end_window();

  // Share of the values of the last window that lay inside a level.
  double last_hits(std::size_t level) const { return hits_[level].back(); }
  std::size_t windows() const { return hits_.empty() ? 0 : hits_.front().size(); }

  // scales (C): how large 1 is in each channel. lag_differences (C): of the training rows, scaled.
  // block: windows that hang together.
  RangesScored result(std::span<const double> scales, std::span<const double> lag_differences,
                      std::size_t block) const;

 private:
  void add_month(std::size_t level, std::int32_t month, double lower, double upper, double truth);

  std::string name_;
  const calibrate::RangeRequest& request_;
  std::size_t horizon_;
  std::span<const std::int32_t> months_;
  std::vector<std::map<std::int32_t, IntervalSums::Sums>> of_month_;  // (levels)
  std::vector<std::vector<IntervalSums>> sums_;                       // (levels, C)
  QuantileSums losses_;
  std::vector<std::vector<double>> inside_;               // (levels, H) of the window at hand
  std::size_t channels_here_ = 0;                         // of the window at hand
  std::vector<std::vector<double>> hits_;                 // (levels, windows)
  std::vector<std::vector<std::vector<float>>> of_step_;  // (levels, H, windows)
  std::vector<double> quantiles_;                         // (P)
};

}  // namespace pulsecast
