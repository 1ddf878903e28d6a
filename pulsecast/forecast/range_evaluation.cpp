#include "pulsecast/forecast/range_evaluation.h"

#include <algorithm>

#include "pulsecast/calibrate/rank.h"
#include "pulsecast/metrics/mase.h"

namespace pulsecast {

calibrate::RangeRequest scored_ranges(const calibrate::Calibration& ranges) {
  std::vector<double> levels;
  for (const double level : {80.0, 95.0}) {
    const double upper = calibrate::bounds_of(level).upper;
    if (ranges.all_scores() >= calibrate::scores_needed(upper)) levels.push_back(level);
  }
  std::vector<double> quantiles;
  for (const double probability : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    if (ranges.all_scores() >= calibrate::scores_needed(probability)) {
      quantiles.push_back(probability);
    }
  }
  return {levels, quantiles};
}

RangeEvaluation::RangeEvaluation(const artifact::Model& model, const ScaledSeries& scaled,
                                 std::span<const std::int32_t> months)
    : model_(model),
      scaled_(scaled),
      recent_steps_(calibrate::recent_steps(model.shape().lookback, model.shape().period)),
      request_(scored_ranges(*model.ranges)),
      plain_(*model.ranges, request_, nullptr),
      as_calibrated_("as calibrated", request_, scaled.targets(), model.ranges->horizon(), months),
      scores_(model.ranges->horizon()),
      errors_(model.ranges->horizon()) {
  if (model.is_panel()) return;
  correction_.emplace(*model.ranges, request_);
  following_.emplace(*model.ranges, request_, &*correction_);
  corrected_.emplace("corrected", request_, scaled.targets(), model.ranges->horizon(), months);
}

void RangeEvaluation::add(const Windows& windows, std::size_t first, const Batch& batch,
                          const Forecast& forecast) {
  const std::size_t C = batch.shape.channels;
  const std::size_t H = batch.shape.horizon;
  const SeriesWindows* panel = windows.panel();
  for (std::size_t sample = 0; sample < batch.shape.samples; ++sample) {
    const std::size_t window = first + sample;
    begin(windows.first_row(window) + batch.shape.lookback);
    for (std::size_t c = 0; c < C; ++c) {
      if (!batch.present.empty() && batch.present[sample * C + c] == 0) continue;
      const std::size_t at = (sample * C + c) * H;
      add(panel != nullptr ? panel->place(window).target : c, c,
          calibrate::outlook(batch, forecast, sample, c, recent_steps_),
          batch.target.subspan(at, H), forecast.values.subspan(at, H));
    }
    end();
  }
}

void RangeEvaluation::begin(std::size_t row) {
  row_ = row;
  if (correction_) correction_->begin(row);
}

void RangeEvaluation::add(std::size_t target, std::size_t channel, const calibrate::Outlook& window,
                          std::span<const float> truth, std::span<const float> said) {
  const std::size_t H = errors_.size();
  for (std::size_t h = 0; h < H; ++h) errors_[h] = truth[h] - said[h];
  const std::size_t set = model_.ranges->set_of(channel, model_.is_panel(), window.look);
  const auto add_to = [&](calibrate::WindowRanges& ranges, RangeScores& scores) {
    ranges.make(set, window);
    scores.add(target, row_, errors_, truth,
               [&](std::size_t p, std::size_t h) { return ranges.distance(p, h); });
  };
  add_to(plain_, as_calibrated_);
  if (!corrected_) return;
  add_to(*following_, *corrected_);
  for (std::size_t h = 0; h < H; ++h) {
    scores_[h] = errors_[h] / following_->scales()[h];
  }
  correction_->add(set, scores_, following_->shifts());
}

void RangeEvaluation::end() {
  as_calibrated_.end_window();
  if (!corrected_) return;
  corrected_->end_window();
}

std::optional<double> RangeEvaluation::last_hits() const {
  if (request_.levels().empty() || as_calibrated_.windows() == 0) return std::nullopt;
  return as_calibrated_.last_hits(0);
}

std::vector<RangesScored> RangeEvaluation::results(const Scaler& scaler,
                                                   std::span<const RowRange> train_rows,
                                                   std::size_t lag, std::size_t block) const {
  std::vector<double> differences;
  for (std::size_t c = 0; c < scaled_.targets(); ++c) {
    const RowRange own = train_rows[train_rows.size() == 1 ? 0 : c];
    const std::size_t first = scaled_.first_row(c);
    const std::size_t end = std::min(scaled_.lead() + own.end, first + scaled_.channel(c).size());
    const std::size_t begin = std::max(scaled_.lead() + own.begin, first);
    differences.push_back(mean_lag_difference(
        scaled_.channel(c).subspan(begin - first, std::max(begin, end) - begin), lag));
  }
  const auto scales = std::span(scaler.scales()).first(scaled_.targets());
  std::vector<RangesScored> all{as_calibrated_.result(scales, differences, block)};
  if (corrected_) all.push_back(corrected_->result(scales, differences, block));
  return all;
}

}  // namespace pulsecast
