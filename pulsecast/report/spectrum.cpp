#include "pulsecast/report/spectrum.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/arena.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast::report {

Spectrum mean_spectrum(std::span<const float> rows, std::size_t length) {
  if (length < 2) return {};
  const kernels::RealFft transform(length);
  Arena arena;
  const std::span<float> scratch = arena.allocate<float>(transform.scratch_floats());
  std::vector<float> row(length);
  std::vector<float> bins(2 * transform.bins());
  Spectrum result;
  result.amplitudes.assign(transform.bins() - 1, 0.0);
  std::size_t counted = 0;
  for (std::size_t begin = 0; begin + length <= rows.size(); begin += length) {
    double mean = 0.0;
    for (std::size_t t = 0; t < length; ++t) mean += rows[begin + t];
    mean /= static_cast<double>(length);
    if (!std::isfinite(mean)) continue;
    for (std::size_t t = 0; t < length; ++t) {
      row[t] = static_cast<float>(rows[begin + t] - mean);
    }
    transform.forward(row.data(), 1, bins.data(), scratch.data());
    for (std::size_t k = 1; k < transform.bins(); ++k) {
      // A sine has half of its amplitude in each of two bins; the last of an even length is both.
      const double parts = 2 * k == length ? 1.0 : 2.0;
      result.amplitudes[k - 1] +=
          parts * std::hypot(bins[2 * k], bins[2 * k + 1]) / static_cast<double>(length);
    }
    ++counted;
  }
  if (counted == 0) return {};
  for (std::size_t k = 1; k < transform.bins(); ++k) {
    result.frequencies.push_back(static_cast<double>(k) / static_cast<double>(length));
    result.amplitudes[k - 1] /= static_cast<double>(counted);
  }
  return result;
}

}  // namespace pulsecast::report
