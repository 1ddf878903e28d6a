#include "pulsecast/evaluate/drift_watch.h"

#include <cmath>

namespace pulsecast {
namespace {

constexpr double kMuchWorse = 1.5;

}  // namespace

void DriftWatch::add(std::size_t row, double loss, double baseline) {
  if (std::isfinite(loss) && std::isfinite(baseline)) immature_.push_back({row, loss, baseline});
}

std::optional<DriftWatch::State> DriftWatch::at(std::size_t row) {
  while (!immature_.empty() && immature_.front().row + horizon_ <= row) {
    latest_.push_back(immature_.front());
    immature_.pop_front();
    if (latest_.size() <= window_) continue;
    loss_before_ += latest_.front().loss;
    baseline_before_ += latest_.front().baseline;
    ++origins_before_;
    latest_.pop_front();
  }
  if (latest_.size() < window_) return std::nullopt;
  double loss = 0.0;
  double baseline = 0.0;
  for (const Origin& origin : latest_) {
    loss += origin.loss;
    baseline += origin.baseline;
  }
  State state;
  // A baseline without an error cannot be fallen behind of by a share.
  state.ratio = baseline > 0.0 ? loss / baseline : (loss > 0.0 ? HUGE_VAL : 0.0);
  // As many before as now, or a few lucky origins would set the measure.
  if (origins_before_ >= window_ && baseline_before_ > 0.0) {
    state.reference = loss_before_ / baseline_before_;
  }
  state.is_drifting = state.ratio > 1.0 || state.ratio > kMuchWorse * state.reference;
  return state;
}

void DriftWatch::begin_anew() { *this = DriftWatch(window_, horizon_); }

}  // namespace pulsecast
