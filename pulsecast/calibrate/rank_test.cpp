#include "pulsecast/calibrate/rank.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/calibrate/probabilities.h"
#include "pulsecast/calibrate/range_request.h"

namespace pulsecast::calibrate {
namespace {

TEST(Rank, TakesTheScoresThatTheLevelsTake) {
  EXPECT_EQ(scores_needed(0.975), 39u);
  EXPECT_EQ(scores_needed(0.025), 39u);
  EXPECT_EQ(scores_needed(0.9), 9u);
  EXPECT_EQ(scores_needed(0.1), 9u);
  EXPECT_EQ(scores_needed(0.995), 199u);
  EXPECT_EQ(scores_needed(0.5), 1u);
  for (const double probability : kProbabilities) {
    const std::size_t needed = scores_needed(probability);
    EXPECT_TRUE(rank_of(needed, probability).has_value()) << probability;
    EXPECT_FALSE(rank_of(needed - 1, probability).has_value()) << probability;
  }
}

TEST(Rank, IsTheExactOneAndTheSameFromBothSides) {
  EXPECT_EQ(rank_of(39, 0.975), 39u);
  EXPECT_EQ(rank_of(39, 0.025), 1u);
  EXPECT_EQ(rank_of(100, 0.9), 91u);  // ceil(90.9)
  EXPECT_EQ(rank_of(100, 0.1), 10u);
  EXPECT_EQ(rank_of(99, 0.9), 90u);
}

TEST(RangeRequest, ListsEachProbabilityOnceAndAscending) {
  const std::vector<double> levels = {80.0, 95.0};
  const std::vector<double> quantiles = {0.9, 0.5, 0.1};
  const RangeRequest request(levels, quantiles);
  ASSERT_EQ(request.size(), 5u);
  EXPECT_EQ(request.levels()[0].lower, 1u);
  EXPECT_EQ(request.levels()[0].upper, 3u);
  EXPECT_EQ(request.levels()[1].lower, 0u);
  EXPECT_EQ(request.levels()[1].upper, 4u);
  EXPECT_EQ(request.quantiles()[0].at, 3u);
  EXPECT_EQ(request.quantiles()[1].at, 2u);
  EXPECT_EQ(request.place(2).share, 0.0);
}

TEST(RangeRequest, RefusesWhatNoModelKeeps) {
  for (const double level : {0.0, -5.0, 99.5, 100.0, 1e9}) {
    const std::vector<double> levels = {level};
    EXPECT_THROW(RangeRequest(levels, {}), Error) << level;
  }
  for (const double quantile : {0.0, 0.001, 0.999, 1.0, 50.0}) {
    const std::vector<double> quantiles = {quantile};
    EXPECT_THROW(RangeRequest({}, quantiles), Error) << quantile;
  }
}

TEST(GridPlace, LiesOnTheWayBetweenTwo) {
  EXPECT_EQ(grid_place(0.9).share, 0.0);
  const GridPlace place = grid_place(0.35);
  EXPECT_DOUBLE_EQ(kProbabilities[place.first], 0.3);
  EXPECT_NEAR(place.share, 0.5, 1e-12);
}

}  // namespace
}  // namespace pulsecast::calibrate
