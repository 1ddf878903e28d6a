#include "pulsecast/train/validation.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::train {

Validation::Validation(model::Pulse& pulse, const Windows& windows, std::size_t batch,
                       ThreadPool& pool)
    : windows_(windows),
      pool_(pool),
      order_(WindowOrder::sequential(windows.size(), std::min(batch, windows.size()))),
      batcher_(windows, std::min(batch, windows.size()), pool),
      inference_(pulse, pool),
      forecast_(allocate_forecast(windows.shape(std::min(batch, windows.size())), arena_)),
      sums_(windows.size()),
      values_(pulse.shape().channels * pulse.shape().horizon) {}

Validation::Errors Validation::measure() {
  std::size_t done = 0;
  inference_.keep_encodings(windows_.distinct_history_calendars(),
                            windows_.distinct_future_calendars());
  for (std::size_t i = 0; i < order_.batches(); ++i) {
    const Batch& batch = batcher_.gather(order_.batch(i));
    inference_.forecast(batch, forecast_);
    pool_.run(batch.shape.samples, [&](std::size_t sample, std::size_t) {
      const float* ours = forecast_.values.data() + sample * values_;
      const float* truth = batch.target.data() + sample * values_;
      Errors sum;
      for (std::size_t j = 0; j < values_; ++j) {
        const double error = static_cast<double>(ours[j]) - static_cast<double>(truth[j]);
        sum.squared += error * error;
        sum.absolute += std::abs(error);
      }
      sums_[done + sample] = sum;
    });
    done += batch.shape.samples;
  }
  Errors mean;
  for (const Errors& sum : sums_) {
    mean.squared += sum.squared;
    mean.absolute += sum.absolute;
  }
  const auto count = static_cast<double>(done * values_);
  return {mean.squared / count, mean.absolute / count};
}

}  // namespace pulsecast::train
