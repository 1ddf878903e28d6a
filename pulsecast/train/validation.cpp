#include "pulsecast/train/validation.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/missing.h"
#include "pulsecast/metrics/naive.h"
#include "pulsecast/model/batch_cut.h"

namespace pulsecast::train {
namespace {

// Added in the order of the windows, whoever measured them.
WindowError sum_of(std::span<const WindowError> windows) {
  WindowError sum;
  for (const WindowError& each : windows) {
    sum.squared += each.squared;
    sum.absolute += each.absolute;
    sum.count += each.count;
  }
  return sum;
}

// Of the channels of a sample that are there. forecast (C, H).
WindowError error_of(const Batch& batch, std::size_t sample, const float* forecast) {
  const std::size_t C = batch.shape.channels;
  const std::size_t H = batch.shape.horizon;
  const float* truth = batch.target.data() + sample * C * H;
  if (batch.present.empty()) return window_error(C * H, forecast, truth);
  WindowError sum;
  for (std::size_t c = 0; c < C; ++c) {
    if (batch.present[sample * C + c] == 0) continue;
    const WindowError own = window_error(H, forecast + c * H, truth + c * H);
    sum.squared += own.squared;
    sum.absolute += own.absolute;
    sum.count += own.count;
  }
  return sum;
}

// No more than there are, and else enough for all threads: batches of training may be small.
template <typename Forecaster>
std::size_t samples_of(const Forecaster& forecaster, const Windows& windows, std::size_t batch) {
  return std::min(std::max(batch, model::windows_together(forecaster.shape().channels)),
                  windows.size());
}

}  // namespace

template <typename Forecaster>
Validation::Validation(std::in_place_t, const Forecaster& forecaster, const Windows& windows,
                       std::size_t batch, ThreadPool& pool)
    : windows_(windows),
      pool_(pool),
      order_(WindowOrder::sequential(windows.size(), batch)),
      batcher_(windows, batch, pool),
      inference_(forecaster, pool),
      forecast_(allocate_forecast(windows.shape(batch), arena_)),
      sums_(windows.size()),
      values_(forecaster.shape().channels * forecaster.shape().horizon) {}

Validation::Validation(const model::Pulse& pulse, const Windows& windows, std::size_t batch,
                       ThreadPool& pool)
    : Validation(std::in_place, pulse, windows, samples_of(pulse, windows, batch), pool) {}

Validation::Validation(const model::Ensemble& ensemble, const Windows& windows, std::size_t batch,
                       ThreadPool& pool)
    : Validation(std::in_place, ensemble, windows, samples_of(ensemble, windows, batch), pool) {}

Errors Validation::measure(const Watch& watch) {
  std::size_t done = 0;
  const model::Inference::Keeping keeping(inference_, windows_.distinct_history_calendars(),
                                          windows_.distinct_future_calendars());
  for (std::size_t i = 0; i < order_.batches(); ++i) {
    const Batch& batch = batcher_.gather(order_.batch(i));
    inference_.forecast(batch, forecast_);
    pool_.run(batch.shape.samples, [&](std::size_t sample, std::size_t) {
      sums_[done + sample] = error_of(batch, sample, forecast_.values.data() + sample * values_);
    });
    done += batch.shape.samples;
    watch.advance("validation", done, windows_.size());
  }
  const WindowError sum = sum_of(sums_);
  const auto count = static_cast<double>(sum.count);
  const double mse = sum.squared / count;
  return {.mse = mse, .mae = sum.absolute / count, .rmse = std::sqrt(mse)};
}

double naive_mse(const Windows& windows, std::size_t period, std::size_t batch, ThreadPool& pool) {
  const std::size_t samples = std::min(batch, windows.size());
  if (windows.shape(samples).lookback < period) return kMissing;
  const WindowOrder order = WindowOrder::sequential(windows.size(), samples);
  Batcher batcher(windows, samples, pool);
  std::vector<WindowError> sums(windows.size());
  std::size_t done = 0;
  for (std::size_t i = 0; i < order.batches(); ++i) {
    const Batch& gathered = batcher.gather(order.batch(i));
    const std::size_t B = gathered.shape.samples;
    const std::size_t C = gathered.shape.channels;
    const std::size_t T = gathered.shape.lookback;
    const std::size_t H = gathered.shape.horizon;
    const std::size_t values = C * H;
    std::vector<float> forecast(B * values);
    pool.run(B, [&](std::size_t sample, std::size_t) {
      float* of_sample = forecast.data() + sample * values;
      for (std::size_t c = 0; c < C; ++c) {
        seasonal_naive_forecast<float>(gathered.history.subspan((sample * C + c) * T, T), period,
                                       {of_sample + c * H, H});
      }
      sums[done + sample] = error_of(gathered, sample, of_sample);
    });
    done += B;
  }
  const WindowError sum = sum_of(sums);
  return sum.squared / static_cast<double>(sum.count);
}

}  // namespace pulsecast::train
