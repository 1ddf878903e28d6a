// The ranges of a model: quantiles of its scores on rows that neither trained nor stopped it.
//
// A score is (truth - forecast) / scale, signed, on scaled data; the scale is local_scale.h's. Of
// every channel and step the quantiles of its scores are kept at the grid of probabilities, each by
// its exact rank (rank.h). Where a channel has too few scores for a rank, those of the channels
// that behave most like it join, each in units of its own mean score; where all of them are too
// few there is none, and asking for it is an error that says how many would do.
//
// Of a panel, scores are pooled over the series, in three groups by how restless the look-back of a
// window is beside the series' own scale.
//
// With a quantile head (quantile_head.h) what it says of a window comes to the quantile, in units
// of the step's; then the quantiles kept are those of scores from which that was taken off.
//
// Windows overlap, so that n scores of a late step are worth fewer. Their rank is that of n: it is
// right on average over pasts like this one, and how much a single past may differ is what
// coverage with its block bootstrap tells (metrics/coverage_bootstrap.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/local_scale.h"
#include "pulsecast/calibrate/probabilities.h"
#include "pulsecast/calibrate/quantile_head.h"

namespace pulsecast::calibrate {

// The scores of one channel, or of a panel one group of windows.
struct ScoreSet {
  LocalScale scale;
  std::size_t scores = 0;  // of each step: windows
  // Of a panel: windows whose deviation is below it, and not below that of the set before.
  double until = std::numeric_limits<double>::infinity();
  // How much of the usual move a miss makes in the online correction.
  double gain = 1.0;
};

class Calibration {
 public:
  Calibration() = default;
  // quantiles (sets, H, kGrid), ascending; NaN where there are too few scores.
  Calibration(std::size_t horizon, std::vector<ScoreSet> sets, const std::vector<float>& quantiles);

  std::size_t horizon() const { return horizon_; }
  const std::vector<ScoreSet>& sets() const { return sets_; }
  std::vector<float> quantiles() const;  // as they were given
  // Scores of a step over all sets.
  std::size_t all_scores() const;

  // The set of a channel's window; `channel` counts only where there is no panel.
  std::size_t set_of(std::size_t channel, bool is_panel, const LookBack& look) const;

  // The quantile of the scores of a step; with a head, of a window like most.
  float score(std::size_t set, std::size_t step, const GridPlace& place) const {
    const float here = scores_of(set, place.first)[step];
    if (place.share == 0.0) return here;
    const float next = scores_of(set, place.first + 1)[step];
    return here + static_cast<float>(place.share) * (next - here);
  }
  // The same of all steps, times a factor each. factors and out (H)
  void scores(std::size_t set, const GridPlace& place, std::span<const float> factors,
              std::span<float> out) const;

  // Throws Error(kData) where there are too few scores for one of the probabilities, with the rows
  // that would do. `where` names the model.
  void require(std::span<const double> probabilities, const std::string& where) const;

  void set_gain(std::size_t set, double gain) { sets_[set].gain = gain; }

  // Null where there is none: the residual method.
  const QuantileHead* head() const { return head_.get(); }
  const std::shared_ptr<const QuantileHead>& shared_head() const { return head_; }
  // units (sets, H): how large 1 of what the head says is in scores; 0 where it says nothing.
  void set_head(std::shared_ptr<const QuantileHead> head, std::vector<float> units);
  const std::vector<float>& units() const { return units_; }
  float unit(std::size_t set, std::size_t step) const { return units_[set * horizon_ + step]; }
  // The channel of the head that a set's windows are of.
  std::size_t head_channel(std::size_t set) const { return head_->channels() == 1 ? 0 : set; }
  // quantiles (kGrid), ascending.
  void set_quantiles(std::size_t set, std::size_t step, std::span<const float> quantiles);

  // For a model that has learnt a channel's scale anew: `ratio` is the old over the new.
  void rescale(std::size_t set, double ratio);

 private:
  const float* scores_of(std::size_t set, std::size_t q) const {
    return scores_.data() + (set * kGrid + q) * horizon_;
  }

  std::size_t horizon_ = 0;
  std::vector<ScoreSet> sets_;
  std::vector<float> scores_;  // (sets, kGrid, H): a forecast asks for all steps of few quantiles
  std::shared_ptr<const QuantileHead> head_;
  std::vector<float> units_;
};

// `learnt`: errors that the scales are learnt from, `ranked` those that are ranked; both of the
// same channels. Without a window in `learnt` all scales are 1.
Calibration calibrate(const ErrorSheet& learnt, const ErrorSheet& ranked, std::size_t period,
                      bool is_panel, ThreadPool& pool);

}  // namespace pulsecast::calibrate
