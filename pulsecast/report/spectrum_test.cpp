#include "pulsecast/report/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace pulsecast::report {
namespace {

TEST(Spectrum, ASineHasItsAmplitudeAtItsFrequency) {
  constexpr std::size_t kLength = 48;
  std::vector<float> rows;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t t = 0; t < kLength; ++t) {
      rows.push_back(static_cast<float>(
          5.0 + 2.0 * std::sin(2.0 * std::numbers::pi * static_cast<double>(t) / 24.0 +
                               static_cast<double>(row))));
    }
  }
  const Spectrum spectrum = mean_spectrum(rows, kLength);
  ASSERT_EQ(spectrum.frequencies.size(), kLength / 2);
  EXPECT_DOUBLE_EQ(spectrum.frequencies[1], 1.0 / 24.0);
  EXPECT_NEAR(spectrum.amplitudes[1], 2.0, 1e-5);
  EXPECT_NEAR(spectrum.amplitudes[0], 0.0, 1e-5);
}

TEST(Spectrum, TheShortestCycleIsOneBin) {
  const std::vector<float> rows = {1, -1, 1, -1};
  EXPECT_NEAR(mean_spectrum(rows, 4).amplitudes.back(), 1.0, 1e-6);
}

TEST(Spectrum, RowsWithGapsAreLeftOut) {
  const std::vector<float> rows = {std::numeric_limits<float>::quiet_NaN(), 0, 1, -1};
  EXPECT_NEAR(mean_spectrum(rows, 2).amplitudes.front(), 1.0, 1e-6);
  EXPECT_TRUE(mean_spectrum(std::span(rows).first(2), 2).frequencies.empty());
  EXPECT_TRUE(mean_spectrum(rows, 1).frequencies.empty());
}

}  // namespace
}  // namespace pulsecast::report
