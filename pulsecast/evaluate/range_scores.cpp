#include "pulsecast/evaluate/range_scores.h"

#include <cmath>

#include "pulsecast/evaluate/backtest_scores.h"

namespace pulsecast {

RangeScores::RangeScores(std::string name, const calibrate::RangeRequest& request,
                         std::size_t channels, std::size_t horizon,
                         std::span<const std::int32_t> months)
    : name_(std::move(name)),
      request_(request),
      horizon_(horizon),
      months_(months),
      of_month_(request.levels().size()),
      losses_(request.probabilities()),
      hits_(request.levels().size()),
      quantiles_(request.size()) {
  for (const auto& level : request.levels()) {
    sums_.emplace_back(channels, IntervalSums(horizon, level.level));
    inside_.emplace_back(horizon, 0.0);
    of_step_.emplace_back(horizon);
  }
}

void RangeScores::end_window() {
  if (channels_here_ == 0) return;
  const auto count = static_cast<double>(channels_here_);
  for (std::size_t i = 0; i < inside_.size(); ++i) {
    double all = 0.0;
    for (std::size_t h = 0; h < horizon_; ++h) {
      all += inside_[i][h];
      of_step_[i][h].push_back(static_cast<float>(inside_[i][h] / count));
      inside_[i][h] = 0.0;
    }
    hits_[i].push_back(all / (count * static_cast<double>(horizon_)));
  }
  channels_here_ = 0;
}

void RangeScores::add_month(std::size_t level, std::int32_t month, double lower, double upper,
                            double truth) {
  IntervalSums::Sums& sums = of_month_[level][month];
  ++sums.values;
  sums.below += truth < lower;
  sums.above += truth > upper;
  sums.width += upper - lower;
  sums.score += interval_score(lower, upper, truth, request_.levels()[level].level);
}

RangesScored RangeScores::result(std::span<const double> scales,
                                 std::span<const double> lag_differences, std::size_t block) const {
  RangesScored result{name_, {}, losses_.weighted_loss(), losses_.crps()};
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    LevelScored level{interval_table(sums_[i]),
                      interval_table(sums_[i], scales),
                      coverage_range(hits_[i], block),
                      {},
                      {},
                      0.0};
    for (std::size_t h = 0; h < horizon_; ++h) {
      const std::vector<double> hits(of_step_[i][h].begin(), of_step_[i][h].end());
      level.step_coverage.push_back(coverage_range(hits, block));
    }
    for (const auto& [month, sums] : of_month_[i]) {
      level.per_month.push_back({month_text(month), sums.means()});
    }
    double sum = 0.0;
    std::size_t channels = 0;
    for (std::size_t c = 0; c < lag_differences.size(); ++c) {
      const double own = msis(level.scaled.per_channel[c].score, lag_differences[c]);
      if (!std::isfinite(own)) continue;
      sum += own;
      ++channels;
    }
    level.msis = sum / static_cast<double>(channels);
    result.levels.push_back(std::move(level));
  }
  return result;
}

}  // namespace pulsecast
