// A model's ranges on windows whose futures have come: as it was calibrated, and corrected by the
// windows before each.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/calibrate/online_correction.h"
#include "pulsecast/calibrate/range_request.h"
#include "pulsecast/calibrate/window_ranges.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/evaluate/range_scores.h"

namespace pulsecast {

// The levels and quantiles that are scored: those that the model has scores enough for.
calibrate::RangeRequest scored_ranges(const calibrate::Calibration& ranges);

class RangeEvaluation {
 public:
  // `model` has ranges. All outlive it. months: of every row of the scaled series, or none.
  RangeEvaluation(const artifact::Model& model, const ScaledSeries& scaled,
                  std::span<const std::int32_t> months = {});

  // The windows of batches, gathered and forecast, in their order; `first` is the number of the
  // batch's first.
  void add(const Windows& windows, std::size_t first, const Batch& batch, const Forecast& forecast);

  // One window: its first row, then each of its targets, then its end. `channel` is the model's:
  // 0 in a panel. truth (H), scaled, and what was forecast of it; window.forecast is that without
  // effects of known columns.
  void begin(std::size_t row);
  void add(std::size_t target, std::size_t channel, const calibrate::Outlook& window,
           std::span<const float> truth, std::span<const float> said);
  void end();

  std::size_t recent_steps() const { return recent_steps_; }
  // Of the window that ended last: the share of its values inside the narrowest level that is
  // scored, as calibrated, and that level in percent. None where no level is scored.
  std::optional<double> last_hits() const;
  double watched_level() const { return request_.levels().front().level; }

  // train_rows: one for all targets or one for each. lag: a season's steps. block: windows that
  // hang together.
  std::vector<RangesScored> results(const Scaler& scaler, std::span<const RowRange> train_rows,
                                    std::size_t lag, std::size_t block) const;

 private:
  const artifact::Model& model_;
  const ScaledSeries& scaled_;
  std::size_t recent_steps_;
  calibrate::RangeRequest request_;
  calibrate::WindowRanges plain_;
  RangeScores as_calibrated_;
  // Where channels are forecast together, whose windows come in the order of time.
  std::optional<calibrate::OnlineCorrection> correction_;
  std::optional<calibrate::WindowRanges> following_;
  std::optional<RangeScores> corrected_;
  std::size_t row_ = 0;        // first of the window at hand
  std::vector<float> scores_;  // (H)
  std::vector<float> errors_;  // (H)
};

}  // namespace pulsecast
