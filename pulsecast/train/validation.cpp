#include "pulsecast/train/validation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pulsecast::train {
namespace {

// Sums of errors (count). Four at a time, so that an addition need not wait for the last.
Validation::Errors errors_of(std::size_t count, const float* ours, const float* truth) {
  constexpr std::size_t kAtOnce = 4;
  std::array<double, kAtOnce> squared{};
  std::array<double, kAtOnce> absolute{};
  const auto add = [&](std::size_t i, std::size_t sum) {
    const double error = static_cast<double>(ours[i]) - static_cast<double>(truth[i]);
    squared[sum] += error * error;
    absolute[sum] += std::abs(error);
  };
  std::size_t i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    for (std::size_t sum = 0; sum < kAtOnce; ++sum) add(i + sum, sum);
  }
  for (; i < count; ++i) add(i, 0);
  const auto total = [](const auto& sums) { return (sums[0] + sums[1]) + (sums[2] + sums[3]); };
  return {total(squared), total(absolute)};
}

}  // namespace

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
      sums_[done + sample] = errors_of(values_, forecast_.values.data() + sample * values_,
                                       batch.target.data() + sample * values_);
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
