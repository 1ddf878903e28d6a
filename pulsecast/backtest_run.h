// One backtest from its first origin to the last. Inside the face.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pulsecast/backtest.h"
#include "pulsecast/backtest_rival.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/evaluate/backtest_journal.h"
#include "pulsecast/evaluate/backtest_scores.h"
#include "pulsecast/evaluate/baselines.h"
#include "pulsecast/evaluate/coverage_watch.h"
#include "pulsecast/evaluate/drift_watch.h"
#include "pulsecast/forecast/origin_forecasts.h"
#include "pulsecast/forecast/range_evaluation.h"

namespace pulsecast {

class BacktestRun {
 public:
  // `series` is aligned with the model; both, options and pool outlive it. journal: null where
  // nothing is kept.
  BacktestRun(const Series& series, std::shared_ptr<const Model> model,
              const BacktestOptions& options, std::unique_ptr<BacktestJournal> journal,
              ThreadPool& pool);

  Backtest finish();

 private:
  void choose_origins();
  void name_contenders();
  // Targets that every contender forecasts from that row.
  void mask(std::size_t row, std::span<std::uint8_t> present) const;
  // Rows of the target with the most of them before its first forecast.
  std::size_t seen_before_first() const;
  Instant stamp_before(std::size_t row) const { return series_.stamps[row - scaled_.lead() - 1]; }

  // Whether errors drift by what has matured before that row; notes an alarm that rises.
  bool look_at_drift(std::size_t row);
  void refit(std::size_t row, bool is_by_drift);
  // As many origins as may be forecast before anything can change.
  std::size_t origins_from(std::size_t done) const;
  // Forecasts of origins as they are scored; those that were made before, as long as there are any.
  std::vector<std::vector<float>> forecasts_of(std::size_t first, std::size_t count);
  // The model that was learnt last, which a run that goes on finds beside the journal.
  void load_if_stale();
  void score(std::size_t row, const std::vector<float>& model);
  void score_ranges(std::size_t row, const std::vector<float>& model);
  void look_at_coverage(std::size_t row);
  void write(std::size_t row, const std::vector<float>& values, bool is_first, AtomicFile& out);
  void tell();

  const Series& series_;
  std::shared_ptr<const Model> first_model_;
  std::shared_ptr<const Model> model_;  // of the time
  const BacktestOptions& options_;
  ThreadPool& pool_;
  std::unique_ptr<BacktestJournal> journal_;
  std::vector<RowRange> rows_;            // that hold the futures
  std::unique_ptr<OriginForecasts> now_;  // of the model of the time
  Scaler scaler_;                         // the first model's: all are scored on its scale
  ScaledSeries scaled_;
  std::size_t targets_;
  std::size_t horizon_;
  std::vector<Season> seasons_;
  std::vector<std::int32_t> months_;
  std::optional<BacktestRival> rival_;
  std::vector<std::size_t> origins_;  // first row forecast, of the scaled series
  std::vector<Baseline> baselines_;
  std::optional<BacktestScores> scores_;
  std::optional<DriftWatch> drift_;
  std::optional<RangeEvaluation> ranges_;
  std::optional<CoverageWatch> coverage_;
  bool is_coverage_low_ = false;
  std::size_t drift_contender_ = 1;
  bool is_drifting_ = false;
  bool is_stale_ = false;  // now_ is of an older model than the journal's
  std::vector<std::uint8_t> present_;
  std::vector<float> truth_;
  Backtest result_;
};

}  // namespace pulsecast
