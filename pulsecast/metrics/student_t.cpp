#include "pulsecast/metrics/student_t.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace pulsecast {
namespace {

// Lentz's evaluation of the continued fraction of I_x(a, b), which converges fast for
// x < (a + 1) / (a + b + 2).
double continued_fraction(double a, double b, double x) {
  constexpr int kMostTerms = 10000;  // it takes about the square root of the larger of a and b
  constexpr double kTiny = 1e-300;
  constexpr double kPrecise = 1e-15;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int m = 1; m <= kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1.0 / away_from_zero(1.0 + even * d);
    c = away_from_zero(1.0 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1.0 / away_from_zero(1.0 + odd * d);
    c = away_from_zero(1.0 + odd / c);
    const double change = d * c;
    fraction *= change;
    if (std::abs(change - 1.0) < kPrecise) break;
  }
  return fraction;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  assert(a > 0.0 && b > 0.0 && x >= 0.0 && x <= 1.0);
  if (x == 0.0 || x == 1.0) return x;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  // The mirrored fraction where this one is slow.
  if (x < (a + 1.0) / (a + b + 2.0)) return front * continued_fraction(a, b, x) / a;
  return 1.0 - front * continued_fraction(b, a, 1.0 - x) / b;
}

double two_sided_p_value(double t, double degrees_of_freedom) {
  assert(degrees_of_freedom > 0.0);
  if (std::isnan(t)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(t)) return 0.0;
  return incomplete_beta(0.5 * degrees_of_freedom, 0.5,
                         degrees_of_freedom / (degrees_of_freedom + t * t));
}

}  // namespace pulsecast
