#include "pulsecast/metrics/diebold_mariano.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

using Losses = std::vector<double>;

const Losses kFirst = {1.0, 2.5, 2.0, 3.5, 1.5, 4.0, 2.25, 3.0, 0.5, 2.75, 1.25, 3.25};
const Losses kSecond = {1.5, 2.0, 2.75, 3.0, 2.5, 4.5, 2.0, 3.5, 1.5, 2.5, 2.0, 3.0};

// Computed with NumPy from the formulas, the p-values by numerical integration of the density.
TEST(DieboldMariano, HasTheNumbersOfAnotherImplementation) {
  struct Known {
    std::size_t horizon;
    double variance, statistic, p_value;
  };
  for (const Known& known :
       {Known{1, 0.3068576388888889, -1.6215486686700553, 0.1331865031616507},
        Known{3, 0.09293016975308635, -2.4330687536396773, 0.0332284865830722},
        Known{6, 0.0546995563271605, -2.1664278760485756, 0.05310654420079097}}) {
    const auto test = diebold_mariano(kFirst, kSecond, known.horizon);
    ASSERT_TRUE(test);
    EXPECT_DOUBLE_EQ(test->mean_difference, -3.25 / 12);
    EXPECT_NEAR(test->statistic, known.statistic, 1e-12);
    EXPECT_NEAR(test->p_value, known.p_value, 1e-9);
    EXPECT_EQ(test->windows, 12u);
    Losses differences;
    for (std::size_t i = 0; i < kFirst.size(); ++i) differences.push_back(kFirst[i] - kSecond[i]);
    EXPECT_NEAR(bartlett_variance(differences, known.horizon - 1), known.variance, 1e-14);
  }
}

// Of one step ahead it is the t test of paired differences.
TEST(DieboldMariano, OneStepAheadIsThePairedTTest) {
  const auto test = diebold_mariano(Losses{3, 1, 4, 1}, Losses{1, 1, 1, 2}, 1);
  ASSERT_TRUE(test);
  // Differences 2, 0, 3, -1: mean 1, sample variance 10/3.
  EXPECT_NEAR(test->statistic, 1.0 / std::sqrt(10.0 / 3.0 / 4.0), 1e-14);
}

TEST(DieboldMariano, IsSymmetric) {
  for (const std::size_t horizon : {1u, 4u, 11u}) {
    const auto test = diebold_mariano(kFirst, kSecond, horizon);
    const auto mirrored = diebold_mariano(kSecond, kFirst, horizon);
    ASSERT_TRUE(test && mirrored);
    EXPECT_DOUBLE_EQ(test->mean_difference, -mirrored->mean_difference);
    EXPECT_DOUBLE_EQ(test->statistic, -mirrored->statistic);
    EXPECT_DOUBLE_EQ(test->p_value, mirrored->p_value);
  }
}

TEST(DieboldMariano, ForecastsThatAreTheSameAreNotTold) {
  const auto test = diebold_mariano(kFirst, kFirst, 3);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->statistic, 0.0);
  EXPECT_EQ(test->p_value, 1.0);
}

TEST(DieboldMariano, TheSameDifferenceEverywhereIsCertain) {
  const auto test = diebold_mariano(Losses{1, 2, 3, 4}, Losses{2, 3, 4, 5}, 2);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->statistic, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(test->p_value, 0.0);
}

TEST(DieboldMariano, IsNoneOfTooFewWindowsAndOfLossesThatAreNotFinite) {
  EXPECT_FALSE(diebold_mariano(kFirst, kSecond, 12));
  EXPECT_TRUE(diebold_mariano(kFirst, kSecond, 11));
  Losses broken = kFirst;
  broken[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(diebold_mariano(broken, kSecond, 1));
}

// Alternating values: their autocovariances without weights would add up to less than nothing.
TEST(BartlettVariance, IsNeverNegative) {
  Losses values;
  for (int i = 0; i < 50; ++i) values.push_back(i % 2 == 0 ? 1.0 : -1.0);
  for (std::size_t lags = 0; lags < 60; ++lags) EXPECT_GE(bartlett_variance(values, lags), 0.0);
  EXPECT_NEAR(bartlett_variance(values, 1), 1.0 - 49.0 / 50.0, 1e-14);
}

// How often two forecasters that are equally good are told apart at 5 %, over a thousand pairs of
// losses: each is the mean of `overlap` draws that it shares with its neighbours.
double false_alarms(std::size_t windows, std::size_t overlap, std::size_t horizon) {
  constexpr std::size_t kTrials = 1000;
  std::size_t alarms = 0;
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    const random::Stream stream{.seed = trial, .purpose = random::Purpose::kTest, .step = 77};
    Losses first(windows);
    const Losses second(windows, 0.0);
    for (std::size_t i = 0; i < windows; ++i) {
      for (std::size_t j = 0; j < overlap; ++j) first[i] += random::normal(stream, i + j);
    }
    alarms += diebold_mariano(first, second, horizon)->p_value < 0.05;
  }
  return static_cast<double>(alarms) / kTrials;
}

TEST(DieboldMariano, RaisesFewFalseAlarmsOverWhiteNoise) {
  EXPECT_NEAR(false_alarms(200, 1, 1), 0.05, 0.02);
  EXPECT_NEAR(false_alarms(200, 1, 6), 0.05, 0.03);
}

// What the autocovariances are there for: a test that takes windows for independent ones is fooled
// by half of the pairs.
TEST(DieboldMariano, AllowsForWindowsThatOverlap) {
  EXPECT_LT(false_alarms(400, 12, 12), 0.15);
  EXPECT_GT(false_alarms(400, 12, 1), 0.45);
}

}  // namespace
}  // namespace pulsecast
