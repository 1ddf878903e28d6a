#include "pulsecast/metrics/scores.h"

#include <cassert>
#include <cmath>
#include <numeric>

namespace pulsecast {
namespace {

Errors means(double squares, double absolutes, std::size_t count) {
  const double mse = squares / static_cast<double>(count);
  return {.mse = mse, .mae = absolutes / static_cast<double>(count), .rmse = std::sqrt(mse)};
}

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

void ErrorSums::add(std::span<const float> forecast, std::span<const float> truth) {
  assert(forecast.size() == squares_.size() && truth.size() == squares_.size());
  for (std::size_t h = 0; h < squares_.size(); ++h) {
    const double error = static_cast<double>(forecast[h]) - static_cast<double>(truth[h]);
    squares_[h] += error * error;
    absolutes_[h] += std::abs(error);
  }
  ++windows_;
}

void Scores::add(const Forecast& forecast, const Batch& batch) {
  for (std::size_t c = 0; c < channels(); ++c) add_channel(c, forecast, batch);
}

void Scores::add_channel(std::size_t channel, const Forecast& forecast, const Batch& batch) {
  assert(forecast.samples == batch.shape.samples);
  assert(forecast.channels == channels() && forecast.horizon == horizon_);
  // A batch may have memory for more samples than it holds.
  for (std::size_t b = 0; b < batch.shape.samples; ++b) {
    if (!batch.present.empty() && batch.present[b * channels() + channel] == 0) continue;
    const std::size_t first = (b * channels() + channel) * horizon_;
    channels_[channel].add(forecast.values.subspan(first, horizon_),
                           batch.target.subspan(first, horizon_));
  }
}

std::size_t Scores::rows() const {
  std::size_t rows = 0;
  for (const ErrorSums& sums : channels_) rows += sums.windows();
  return rows;
}

ErrorTable Scores::table() const { return table(std::vector<double>(channels(), 1.0)); }

ErrorTable Scores::table(std::span<const double> scales) const {
  assert(scales.size() == channels());
  ErrorTable table;
  std::vector<double> squares(horizon_);
  std::vector<double> absolutes(horizon_);
  for (std::size_t c = 0; c < channels(); ++c) {
    const ErrorSums& sums = channels_[c];
    const double absolute_scale = std::abs(scales[c]);
    const double square_scale = scales[c] * scales[c];
    table.per_channel.push_back(means(square_scale * sum_of(sums.squares()),
                                      absolute_scale * sum_of(sums.absolutes()),
                                      sums.windows() * horizon_));
    for (std::size_t h = 0; h < horizon_; ++h) {
      squares[h] += square_scale * sums.squares()[h];
      absolutes[h] += absolute_scale * sums.absolutes()[h];
    }
  }
  for (std::size_t h = 0; h < horizon_; ++h) {
    table.per_step.push_back(means(squares[h], absolutes[h], rows()));
  }
  table.overall = means(sum_of(squares), sum_of(absolutes), rows() * horizon_);
  return table;
}

std::vector<double> Scores::absolute_errors() const {
  std::vector<double> errors;
  for (const ErrorSums& sums : channels_) {
    errors.push_back(sum_of(sums.absolutes()) / static_cast<double>(sums.windows() * horizon_));
  }
  return errors;
}

}  // namespace pulsecast
