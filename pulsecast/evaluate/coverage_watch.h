// Whether ranges hold less than they promise, told from windows that had matured by then.
//
// The measure is the share of values inside over the latest origins. Windows that overlap miss
// together, so that it swings; the alarm rises where it is 15 points below what was promised.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace pulsecast {

class CoverageWatch {
 public:
  // `level` in percent; `window`: origins that a share is over; `horizon`: rows until an origin's
  // hits have matured.
  CoverageWatch(double level, std::size_t window, std::size_t horizon)
      : promised_(level / 100.0), window_(window), horizon_(horizon) {}

  // Share of the values inside of the window whose first step is `row`; rows ascend.
  void add(std::size_t row, double hits) { immature_.push_back({row, hits}); }
  // The share as known when `row` is the next to come. None before `window` origins have matured.
  std::optional<double> at(std::size_t row);
  bool is_low(double coverage) const { return coverage < promised_ - kFar; }

 private:
  static constexpr double kFar = 0.15;

  struct Origin {
    std::size_t row;
    double hits;
  };

  double promised_;
  std::size_t window_;
  std::size_t horizon_;
  std::deque<Origin> immature_;
  std::deque<double> latest_;  // `window_` of them at most
};

}  // namespace pulsecast
