#include "pulsecast/metrics/naive.h"

#include <gtest/gtest.h>

#include "pulsecast/metrics/testing.h"

namespace pulsecast {
namespace {

using testing::kGap;
using testing::Values;

Values seasonal(const Values& past, std::size_t period, std::size_t horizon) {
  Values forecast(horizon);
  seasonal_naive_forecast<float>(past, period, forecast);
  return forecast;
}

TEST(Naive, RepeatsTheLastValue) {
  Values forecast(3);
  naive_forecast(Values{1, 5, 2}, forecast);
  EXPECT_EQ(forecast, (Values{2, 2, 2}));
}

TEST(SeasonalNaive, RepeatsTheLastSeason) {
  const Values past = {9, 9, 1, 2, 3};
  EXPECT_EQ(seasonal(past, 3, 7), (Values{1, 2, 3, 1, 2, 3, 1}));
  EXPECT_EQ(seasonal(past, 3, 2), (Values{1, 2})) << "a horizon shorter than the season";
  EXPECT_EQ(seasonal(past, 5, 5), past) << "a season as long as the past";
  EXPECT_EQ(seasonal(past, 1, 2), (Values{3, 3}));
}

TEST(SeasonalNaive, GoesAnotherSeasonBackOverAGap) {
  EXPECT_EQ(seasonal({4, 5, 6, kGap, 2, 3}, 3, 6), (Values{4, 2, 3, 4, 2, 3}));
  EXPECT_EQ(seasonal({7, 0, 0, kGap, 0, 0, kGap, 2, 3}, 3, 3), (Values{7, 2, 3}));
  EXPECT_EQ(seasonal({kGap, 5, 6, kGap, 2, 3}, 3, 4), (Values{3, 2, 3, 3}))
      << "never there: the last value";
}

TEST(Drift, ContinuesTheLineThroughFirstAndLast) {
  Values forecast(3);
  drift_forecast(Values{1, 100, 2}, forecast);
  EXPECT_EQ(forecast, (Values{2.5F, 3.0F, 3.5F}));
  drift_forecast(Values{4}, forecast);
  EXPECT_EQ(forecast, (Values{4, 4, 4}));
}

}  // namespace
}  // namespace pulsecast
