#include "pulsecast/train/validation.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::train {
Validation::Validation(const model::Pulse& pulse, const Windows& windows, std::size_t batch,
                       ThreadPool& pool)
    : windows_(windows),
      pool_(pool),
      order_(WindowOrder::sequential(windows.size(), std::min(batch, windows.size()))),
      batcher_(windows, std::min(batch, windows.size()), pool),
      inference_(pulse, pool),
      forecast_(allocate_forecast(windows.shape(std::min(batch, windows.size())), arena_)),
      sums_(windows.size()),
      values_(pulse.shape().channels * pulse.shape().horizon) {}

Errors Validation::measure(const Watch& watch) {
  std::size_t done = 0;
  const model::Inference::Keeping keeping(inference_, windows_.distinct_history_calendars(),
                                          windows_.distinct_future_calendars());
  for (std::size_t i = 0; i < order_.batches(); ++i) {
    const Batch& batch = batcher_.gather(order_.batch(i));
    inference_.forecast(batch, forecast_);
    pool_.run(batch.shape.samples, [&](std::size_t sample, std::size_t) {
      sums_[done + sample] = window_error(values_, forecast_.values.data() + sample * values_,
                                          batch.target.data() + sample * values_);
    });
    done += batch.shape.samples;
    watch.advance("validation", done, windows_.size());
  }
  WindowError sum;
  for (const WindowError& each : sums_) {
    sum.squared += each.squared;
    sum.absolute += each.absolute;
  }
  const auto count = static_cast<double>(done * values_);
  const double mse = sum.squared / count;
  return {.mse = mse, .mae = sum.absolute / count, .rmse = std::sqrt(mse)};
}

}  // namespace pulsecast::train
