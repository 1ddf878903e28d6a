#include "pulsecast/testing/reference/gelu.h"

#include <cmath>
#include <numbers>

namespace pulsecast::kernels::reference {
namespace {

double cumulative(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace

double gelu(double x) { return x * cumulative(x); }

double gelu_slope(double x) {
  return cumulative(x) + x * std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
}

}  // namespace pulsecast::kernels::reference
