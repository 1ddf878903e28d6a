#include "pulsecast/metrics/student_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace pulsecast {
namespace {

TEST(IncompleteBeta, IsTheClosedFormWhereThereIsOne) {
  for (const double x : {0.0, 1e-9, 0.1, 0.37, 0.5, 0.83, 0.999999, 1.0}) {
    EXPECT_NEAR(incomplete_beta(1.0, 1.0, x), x, 1e-14);
    EXPECT_NEAR(incomplete_beta(3.5, 1.0, x), std::pow(x, 3.5), 1e-13);
    EXPECT_NEAR(incomplete_beta(1.0, 4.0, x), 1.0 - std::pow(1.0 - x, 4.0), 1e-13);
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x), 2.0 / std::numbers::pi * std::asin(std::sqrt(x)),
                1e-13);
    EXPECT_NEAR(incomplete_beta(2.0, 3.0, x), x * x * (6.0 - 8.0 * x + 3.0 * x * x), 1e-13);
  }
}

TEST(IncompleteBeta, IsMirroredAlsoForLargeArguments) {
  for (const double a : {0.5, 20.0, 1392.5}) {
    for (const double x : {0.01, 0.4, 0.97}) {
      EXPECT_NEAR(incomplete_beta(a, 0.5, x) + incomplete_beta(0.5, a, 1.0 - x), 1.0, 1e-12);
    }
  }
}

TEST(TwoSidedPValue, IsTheClosedFormOfOneAndTwoDegrees) {
  for (const double t : {0.0, 0.3, 1.0, 2.5, 12.706, 400.0}) {
    EXPECT_NEAR(two_sided_p_value(t, 1), 1.0 - 2.0 / std::numbers::pi * std::atan(t), 1e-12);
    EXPECT_NEAR(two_sided_p_value(t, 2), 1.0 - t / std::sqrt(2.0 + t * t), 1e-12);
    EXPECT_DOUBLE_EQ(two_sided_p_value(-t, 7), two_sided_p_value(t, 7));
  }
}

TEST(TwoSidedPValue, IsWhatTheTablesOfTextbooksHave) {
  EXPECT_NEAR(two_sided_p_value(2.228139, 10), 0.05, 1e-7);
  EXPECT_NEAR(two_sided_p_value(2.750, 30), 0.01, 2e-6);
  EXPECT_NEAR(two_sided_p_value(1.984, 100), 0.05, 2e-5);
  // With so many degrees it is the normal distribution.
  EXPECT_NEAR(two_sided_p_value(1.959964, 1e7), 0.05, 1e-6);
  EXPECT_NEAR(two_sided_p_value(1.5, 1e7), std::erfc(1.5 / std::numbers::sqrt2), 1e-6);
}

TEST(TwoSidedPValue, IsZeroAtInfinityAndNoneOfNone) {
  EXPECT_EQ(two_sided_p_value(std::numeric_limits<double>::infinity(), 5), 0.0);
  EXPECT_TRUE(std::isnan(two_sided_p_value(std::numeric_limits<double>::quiet_NaN(), 5)));
}

}  // namespace
}  // namespace pulsecast
