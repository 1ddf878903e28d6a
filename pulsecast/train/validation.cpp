#include "pulsecast/train/validation.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/metrics/naive.h"

namespace pulsecast::train {
namespace {

// Added in the order of the windows, whoever measured them.
WindowError sum_of(std::span<const WindowError> windows) {
  WindowError sum;
  for (const WindowError& each : windows) {
    sum.squared += each.squared;
    sum.absolute += each.absolute;
  }
  return sum;
}

}  // namespace

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
  const WindowError sum = sum_of(sums_);
  const auto count = static_cast<double>(done * values_);
  const double mse = sum.squared / count;
  return {.mse = mse, .mae = sum.absolute / count, .rmse = std::sqrt(mse)};
}

double naive_mse(const Windows& windows, std::size_t batch, ThreadPool& pool) {
  const std::size_t samples = std::min(batch, windows.size());
  const WindowOrder order = WindowOrder::sequential(windows.size(), samples);
  Batcher batcher(windows, samples, pool);
  std::vector<WindowError> sums(windows.size());
  std::size_t done = 0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < order.batches(); ++i) {
    const Batch& gathered = batcher.gather(order.batch(i));
    const auto [B, C, T, H, features, known, past] = gathered.shape;
    values = C * H;
    std::vector<float> forecast(B * values);
    pool.run(B, [&, C = C, T = T, H = H](std::size_t sample, std::size_t) {
      float* of_sample = forecast.data() + sample * values;
      for (std::size_t c = 0; c < C; ++c) {
        naive_forecast(gathered.history.subspan((sample * C + c) * T, T), {of_sample + c * H, H});
      }
      sums[done + sample] =
          window_error(values, of_sample, gathered.target.data() + sample * values);
    });
    done += B;
  }
  return sum_of(sums).squared / static_cast<double>(done * values);
}

}  // namespace pulsecast::train
