#include "pulsecast/model/normaliser.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pulsecast::model {

using namespace autodiff;

namespace {

constexpr double kEpsilon = 1e-5;

struct Statistics {
  double mean;
  double deviation;
};

// x (width)
Statistics statistics_of(Normalisation kind, const float* x, std::size_t width) {
  double sum = 0.0;
  for (std::size_t t = 0; t < width; ++t) sum += static_cast<double>(x[t]);
  const double mean = sum / static_cast<double>(width);
  if (kind == Normalisation::kMean) return {mean, 1.0};
  double squares = 0.0;
  for (std::size_t t = 0; t < width; ++t) {
    const double difference = static_cast<double>(x[t]) - mean;
    squares += difference * difference;
  }
  const std::size_t count = kind == Normalisation::kUnbiased ? width - 1 : width;
  return {mean, std::sqrt(squares / static_cast<double>(count) + kEpsilon)};
}

}  // namespace

Normalised normalise_data(Tape& tape, Normalisation kind, const Tensor& data) {
  assert(!data.wants_gradient());
  const std::size_t rows = data.shape[0];
  const std::size_t width = data.shape[1];
  const Tensor mean = tape.result({rows}, false);
  const Tensor deviation = tape.result({rows}, false);
  if (kind == Normalisation::kNone) {
    std::fill_n(mean.data, rows, 0.0f);
    std::fill_n(deviation.data, rows, 1.0f);
    return {std::nullopt, data, mean, deviation};
  }
  const Tensor values = tape.result(data.shape, false);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* from = data.data + row * width;
    const Statistics own = statistics_of(kind, from, width);
    mean.data[row] = static_cast<float>(own.mean);
    deviation.data[row] = static_cast<float>(own.deviation);
    std::transform(from, from + width, values.data + row * width, [&](float value) {
      return static_cast<float>((static_cast<double>(value) - own.mean) / own.deviation);
    });
  }
  return {std::nullopt, values, mean, deviation};
}

Normaliser::Normaliser(Parameters& parameters, std::size_t channels, Normalisation kind)
    : kind_(kind) {
  if (kind != Normalisation::kAffine) return;
  const ParameterId gamma = parameters.add("revin.gamma", {channels});
  affine_ = {gamma, parameters.add("revin.beta", {channels})};
}

void Normaliser::initialise(Parameters& parameters) const {
  if (!affine_) return;
  parameters.fill(affine_->gamma, 1.0f);
  parameters.fill(affine_->beta, 0.0f);
}

Normalised Normaliser::normalise(Tape& tape, BoundParameters& weights, const Tensor& history,
                                 const std::optional<Tensor>& anchor) const {
  if (!affine_) return normalise_data(tape, kind_, history);
  const Revin found = revin(tape, history, anchor.value_or(Tensor{}), bound(weights));
  return {anchor, found.values, found.mean, found.deviation};
}

Tensor Normaliser::denormalise(Tape& tape, BoundParameters& weights, const Tensor& forecast,
                               const std::optional<Tensor>& anchor, const Tensor& mean,
                               const Tensor& deviation) const {
  if (!affine_) return scale_rows(tape, forecast, deviation, mean);
  return revin_back(tape, forecast, anchor.value_or(Tensor{}), bound(weights), mean, deviation);
}

}  // namespace pulsecast::model
