// What a backtest holds the model against: an older model, or forecasts of another program, on the
// same windows. Inside the face.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/backtest.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/evaluate/forecast_file.h"
#include "pulsecast/forecast/origin_forecasts.h"

namespace pulsecast {

// Values of one channel from one scale to another; the same one changes no bit.
void rescale(std::span<float> values, const Scaler& from, std::size_t from_channel,
             const Scaler& to, std::size_t to_channel);

class BacktestRival {
 public:
  // `ours` forecasts the futures in `rows` of `series`. All but the options' strings outlive it.
  // Throws Error(kUsage) where a model forecasts none of the channels, or fewer steps.
  BacktestRival(const Series& series, const OriginForecasts& ours, std::span<const RowRange> rows,
                bool is_panel, const BacktestOptions& options, ThreadPool& pool);

  // Takes out of `present` (targets) what the rival does not forecast from that row.
  void mask(std::size_t row, std::span<std::uint8_t> present) const;
  // Of a file: its forecasts of all origins, in their order; throws Error(kData) where one of a
  // target that is present is missing.
  void read(std::span<const std::size_t> origins, std::vector<std::uint8_t> present);
  // (C, H) on our scale, of the origin with that number and row.
  std::vector<float> forecast(std::size_t number, std::size_t row);

 private:
  void open_model(std::span<const RowRange> rows, bool is_panel);
  std::size_t row_there(std::size_t row) const;

  const Series& series_;
  const BacktestOptions& options_;
  ThreadPool& pool_;
  Scaler scaler_;  // ours
  std::size_t lead_;
  std::size_t targets_;
  std::size_t horizon_;
  std::optional<Series> aligned_;                   // as the other model wants it
  std::vector<std::optional<std::size_t>> theirs_;  // (targets) which of the model's it is
  std::unique_ptr<OriginForecasts> model_;
  std::unique_ptr<ReadForecasts> file_;
};

}  // namespace pulsecast
