#include "pulsecast/model/periods.h"

#include <algorithm>
#include <numeric>

namespace pulsecast::model {

using namespace autodiff;

Tensor strengths(Tape& tape, const Tensor& x, const kernels::RealFft& fft) {
  const std::size_t samples = x.shape[0];
  const std::size_t width = x.shape[1];
  const Tensor moduli =
      modulus(tape, spectrum(tape, x.reshaped({samples * width, fft.length()}), fft));
  float* means = tape.floats(samples * width);
  std::fill_n(means, samples * width, 1.0f / static_cast<float>(width));
  return matmul(tape, tape.constant(means, {samples, 1, width}),
                moduli.reshaped({samples, width, fft.bins()}))
      .reshaped({samples, fft.bins()});
}

std::span<const std::uint32_t> strongest(Tape& tape, const float* spectra, std::size_t count,
                                         std::size_t bins, std::size_t top) {
  const std::span<std::uint32_t> chosen = tape.arena().allocate<std::uint32_t>(count * top);
  const std::span<std::uint32_t> order = tape.arena().allocate<std::uint32_t>(bins - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const float* spectrum = spectra + i * bins;
    std::iota(order.begin(), order.end(), 1u);
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(top),
                              [&](std::uint32_t a, std::uint32_t b) {
                                return spectrum[a] > spectrum[b] ||
                                       (spectrum[a] == spectrum[b] && a < b);
                              });
    std::ranges::copy(order.first(top), chosen.begin() + static_cast<std::ptrdiff_t>(i * top));
  }
  return chosen;
}

Tensor shares_of(Tape& tape, const Tensor& strength, std::span<const std::uint32_t> chosen,
                 std::size_t top) {
  const std::size_t samples = strength.shape[0];
  const std::size_t bins = strength.shape[1];
  const std::span<std::uint32_t> places = tape.arena().allocate<std::uint32_t>(samples * top);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<std::uint32_t>(i / top * bins) + chosen[i % chosen.size()];
  }
  const Tensor at =
      gather_rows(tape, strength.reshaped({strength.count(), 1}), places.data(), places.size());
  return softmax(tape, at.reshaped({samples, top}));
}

RunningSpectrum::RunningSpectrum(Parameters& parameters, const std::string& name, std::size_t bins)
    : spectrum_(parameters.add_buffer(name, {bins})) {}

void RunningSpectrum::initialise(Parameters& parameters) const { parameters.fill(spectrum_, 0.0f); }

const float* RunningSpectrum::operator()(Tape& tape, BoundParameters& weights,
                                         const Tensor& strength, bool is_training) const {
  constexpr float kNew = 0.1f;
  const Tensor running = weights[spectrum_];
  if (!is_training) return running.data;
  const std::size_t bins = running.count();
  float* mean = tape.floats(bins);
  const bool is_first =
      std::all_of(running.data, running.data + bins, [](float value) { return value == 0.0f; });
  for (std::size_t k = 0; k < bins; ++k) {
    double sum = 0.0;
    for (std::size_t i = k; i < strength.count(); i += bins) {
      sum += static_cast<double>(strength.data[i]);
    }
    mean[k] = static_cast<float>(sum / static_cast<double>(strength.shape[0]));
    running.data[k] += (is_first ? 1.0f : kNew) * (mean[k] - running.data[k]);
  }
  return mean;
}

}  // namespace pulsecast::model
