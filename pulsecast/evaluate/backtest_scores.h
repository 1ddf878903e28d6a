// The errors of several contenders over the same windows, kept as sums: what a backtest holds of
// origins that are done, so that its memory does not grow with them but for two numbers each.
//
// Sums of squares and of absolute errors are those of an evaluation (metrics/scores.h), added in
// the same order: over the same windows both say the same to the last bit.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/evaluate/backtest_result.h"
#include "pulsecast/evaluate/seasons.h"
#include "pulsecast/metrics/scores.h"

namespace pulsecast {

// The future of one origin.
struct OriginWindow {
  std::size_t row = 0;                    // first row forecast, of the scaled series
  std::span<const std::uint8_t> present;  // (C) targets that are scored
  std::span<const float> truth;           // (C, H), scaled
};

class BacktestScores {
 public:
  // `scaler` and `months` outlive it. months: of every row of the scaled series, see months_of().
  BacktestScores(std::vector<std::string> contenders, std::size_t channels, std::size_t horizon,
                 const Scaler& scaler, std::span<const std::int32_t> months);

  // forecasts (contenders) of (C, H) each, scaled. Windows come in the order of time.
  void add(const OriginWindow& window, std::span<const std::span<const float>> forecasts);

  std::size_t origins() const { return losses_.empty() ? 0 : losses_.front().size(); }
  // Mean squared error of each origin's window, scaled.
  std::span<const double> losses(std::size_t contender) const { return losses_[contender]; }

  // Of every contender. train_rows: what MASE divides by, one for all targets or one for each,
  // counted as in the series before it was scaled. `overlap`: origins from one to the first whose
  // window shares no step with its own.
  std::vector<BacktestContender> results(const ScaledSeries& series,
                                         std::span<const RowRange> train_rows,
                                         std::span<const Season> seasons,
                                         std::size_t overlap) const;

 private:
  struct MonthSums {
    std::vector<double> squares, absolutes, differences, smapes;  // (C)
    std::vector<std::size_t> values;                              // (C)
  };
  struct Contender {
    Scores scores;
    std::vector<double> differences;  // (C, H)
    std::vector<double> smapes;       // (C, H)
    std::map<std::int32_t, MonthSums> months;
  };

  BacktestErrors errors_of(const Errors& scaled, const Errors& units, double difference,
                           double difference_units, double smape, std::size_t values) const;
  void tabulate(const Contender& of, BacktestContender& out) const;

  std::vector<std::string> names_;
  std::size_t channels_;
  std::size_t horizon_;
  const Scaler& scaler_;
  std::span<const std::int32_t> months_;
  std::vector<Contender> contenders_;
  std::vector<std::vector<double>> losses_;  // (contenders, origins)
};

// Months since the year 0 of every row with a calendar, on the zone's wall clock.
std::vector<std::int32_t> months_of(const Series& series, const ScaledSeries& scaled);
// "2017-11"
std::string month_text(std::int32_t month);

}  // namespace pulsecast
