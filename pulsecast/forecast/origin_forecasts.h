// What a model would have said at past origins of a series: its forecasts from rows whose futures
// have come.
//
// They go the way of an evaluation (windows of the scaled series), so that both see the same and
// say the same to the last bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/model/inference.h"

namespace pulsecast {

class OriginForecasts {
 public:
  // `series` is aligned with the model; rows (one, or of a panel one a target) hold the futures.
  // All outlive it.
  OriginForecasts(const Series& series, const artifact::Model& model,
                  std::span<const RowRange> rows, ThreadPool& threads);

  std::size_t targets() const { return scaled_.targets(); }
  std::size_t horizon() const { return horizon_; }
  const ScaledSeries& scaled() const { return scaled_; }
  const Scaler& scaler() const { return scaler_; }

  // Rows of the scaled series from which at least one target can be forecast, ascending: the first
  // row of each future.
  std::vector<std::size_t> origins() const;
  // present (targets): 1 for those whose window begins at that row.
  void present(std::size_t row, std::span<std::uint8_t> present) const;
  // values (rows, targets, H), scaled; NaN where a target is not there.
  void forecast(std::span<const std::size_t> rows, std::span<float> values);

 private:
  struct Place {
    std::uint32_t row;     // first of the future
    std::uint32_t window;  // of windows_
  };

  // The windows whose future begins at a row.
  std::span<const Place> places_at(std::size_t row) const;
  void run(std::span<const std::uint32_t> windows, std::span<float* const> out);

  std::size_t horizon_;
  Scaler scaler_;
  ScaledSeries scaled_;
  Windows windows_;
  std::vector<Place> places_;  // by row, then window
  model::Inference inference_;
  model::Inference::Keeping keeping_;
  std::size_t at_once_;
  Arena arena_;
  Batch batch_;
  Forecast forecast_;
};

}  // namespace pulsecast
