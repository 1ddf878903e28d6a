#include "pulsecast/data/repair/fill.h"

#include <cmath>

namespace pulsecast {

std::size_t fill_zero(std::span<double> values) {
  std::size_t filled = 0;
  for (double& value : values) {
    if (!std::isnan(value)) continue;
    value = 0;
    ++filled;
  }
  return filled;
}

std::size_t fill_previous(std::span<double> values) { return fill_seasonal(values, 1); }

std::size_t fill_linear(std::span<double> values) {
  std::size_t filled = 0;
  std::size_t before = values.size();  // index of the last value, once there is one
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (before < i && i - before > 1) {
      const double from = values[before];
      const double to = values[i];
      const auto length = static_cast<double>(i - before);
      for (std::size_t k = before + 1; k < i; ++k, ++filled) {
        const double share = static_cast<double>(k - before) / length;
        // Weights rather than a difference: to - from may overflow where both are finite.
        values[k] = (1 - share) * from + share * to;
      }
    }
    before = i;
  }
  return filled;
}

std::size_t fill_seasonal(std::span<double> values, std::size_t period) {
  std::size_t filled = 0;
  for (std::size_t i = period; i < values.size(); ++i) {
    if (!std::isnan(values[i]) || std::isnan(values[i - period])) continue;
    values[i] = values[i - period];
    ++filled;
  }
  return filled;
}

}  // namespace pulsecast
