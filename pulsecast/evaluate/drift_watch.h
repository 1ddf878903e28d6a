// Whether a forecaster has got worse than it was, told from errors that had matured by then.
//
// The measure is the ratio of its mean squared error to that of a baseline over the latest origins:
// hard months raise both, and only what the model misses raises the ratio. The alarm rises where
// the ratio is above 1, so that the baseline would have served better, or above one and a half
// times what it was over all origins before. A window counts when its last step has come, never
// sooner.
#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <optional>

namespace pulsecast {

class DriftWatch {
 public:
  struct State {
    double ratio = 0.0;
    double reference = std::numeric_limits<double>::quiet_NaN();  // NaN: nothing came before
    bool is_drifting = false;
  };

  // `window`: origins that a ratio is over; `horizon`: rows until an origin's errors have matured.
  DriftWatch(std::size_t window, std::size_t horizon) : window_(window), horizon_(horizon) {}

  // Losses of the window whose first step is `row`; rows ascend.
  void add(std::size_t row, double loss, double baseline);
  // As known when `row` is the next to come. None before `window` origins have matured.
  std::optional<State> at(std::size_t row);
  // What came before says nothing of what comes now: the forecaster is another.
  void begin_anew();

  std::size_t window() const { return window_; }

 private:
  struct Origin {
    std::size_t row;
    double loss;
    double baseline;
  };

  std::size_t window_;
  std::size_t horizon_;
  std::deque<Origin> immature_;
  std::deque<Origin> latest_;  // `window_` of them at most
  double loss_before_ = 0.0;   // sums over what fell out of the latest
  double baseline_before_ = 0.0;
  std::size_t origins_before_ = 0;
};

}  // namespace pulsecast
