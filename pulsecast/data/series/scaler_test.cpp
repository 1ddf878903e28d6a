#include "pulsecast/data/series/scaler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/base/error.h"
#include "pulsecast/base/missing.h"

namespace pulsecast {
namespace {

Series series_of(std::vector<std::vector<double>> channels) {
  Series series;
  series.source = "load.csv";
  series.stamps.resize(channels.front().size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    series.channels.push_back(
        {std::string(1, static_cast<char>('a' + c)), Role::kTarget, std::move(channels[c])});
  }
  return series;
}

TEST(Scaler, IsMeanAndPopulationDeviationOfTheTrainRows) {
  const Series series = series_of({{1, 2, 3, 4, 100}, {-5, -5, 5, 5, 0}});
  const Scaler scaler = Scaler::fit(series, {0, 4});
  EXPECT_DOUBLE_EQ(scaler.means()[0], 2.5);
  EXPECT_DOUBLE_EQ(scaler.scales()[0], std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(scaler.means()[1], 0.0);
  EXPECT_DOUBLE_EQ(scaler.scales()[1], 5.0);
  EXPECT_DOUBLE_EQ(scaler.scaled(0, 2.5), 0.0);
  EXPECT_DOUBLE_EQ(scaler.original(0, scaler.scaled(0, 100.0)), 100.0);
}

TEST(Scaler, OfSeveralRunsSeesNothingBetweenThem) {
  const Series series = series_of({{1, 2, 1e6, 3, 4, 1e6}});
  const std::vector<RowRange> runs = {{0, 2}, {3, 5}};
  const Scaler scaler = Scaler::fit(series, runs);
  EXPECT_DOUBLE_EQ(scaler.means()[0], 2.5);
  EXPECT_DOUBLE_EQ(scaler.scales()[0], std::sqrt(1.25));
}

TEST(Scaler, AConstantChannelHasScaleOne) {
  // The sum of ten tenths is not one, so the deviation computed from it is not quite zero.
  const Series series = series_of({std::vector<double>(10, 0.1)});
  const Scaler scaler = Scaler::fit(series, {0, 10});
  EXPECT_EQ(scaler.scales()[0], 1.0);
  EXPECT_EQ(scaler.scaled(0, 0.1), 0.0);
}

TEST(Scaler, LeavesGapsOut) {
  const Scaler scaler = Scaler::fit(series_of({{1, kMissing, 3, kMissing}}), {0, 4});
  EXPECT_DOUBLE_EQ(scaler.means()[0], 2.0);
  EXPECT_DOUBLE_EQ(scaler.scales()[0], 1.0);
}

TEST(Scaler, NamesAChannelWithoutValues) {
  try {
    Scaler::fit(series_of({{1, 2, 3}, {kMissing, kMissing, 3}}), {0, 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_STREQ(error.what(),
                 "load.csv, column 'b': there is no value in the rows 1 to 2 that the scaler is "
                 "fitted on. drop = b leaves it out; split sets other training rows");
  }
  EXPECT_THROW(Scaler::fit(series_of({{1e300, -1e300}}), {0, 2}), Error);
}

}  // namespace
}  // namespace pulsecast
