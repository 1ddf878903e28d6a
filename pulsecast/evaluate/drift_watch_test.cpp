#include "pulsecast/evaluate/drift_watch.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast {
namespace {

TEST(DriftWatch, SaysNothingUntilEnoughOriginsHaveMatured) {
  DriftWatch watch(3, 4);
  for (std::size_t row = 10; row < 13; ++row) watch.add(row, 1.0, 2.0);
  EXPECT_FALSE(watch.at(15).has_value());  // the window from 12 ends with row 15
  const auto state = watch.at(16);
  ASSERT_TRUE(state.has_value());
  EXPECT_DOUBLE_EQ(state->ratio, 0.5);
  EXPECT_TRUE(std::isnan(state->reference));
  EXPECT_FALSE(state->is_drifting);
}

TEST(DriftWatch, AnErrorThatHasNotMaturedIsNotSeen) {
  DriftWatch calm(2, 5);
  DriftWatch shaken(2, 5);
  for (std::size_t row = 0; row < 10; ++row) {
    calm.add(row, 1.0, 2.0);
    shaken.add(row, row >= 5 ? 1000.0 : 1.0, 2.0);  // rows 5 to 9 mature from row 10 on
  }
  EXPECT_EQ(calm.at(9)->ratio, shaken.at(9)->ratio);
  EXPECT_NE(calm.at(10)->ratio, shaken.at(10)->ratio);
}

TEST(DriftWatch, RisesWhereTheBaselineWouldHaveServedBetter) {
  DriftWatch watch(2, 1);
  watch.add(0, 3.0, 2.0);
  watch.add(1, 2.0, 2.0);
  EXPECT_TRUE(watch.at(2)->is_drifting);
}

TEST(DriftWatch, RisesWhereItIsMuchWorseThanBefore) {
  DriftWatch watch(4, 1);
  for (std::size_t row = 0; row < 8; ++row) watch.add(row, 0.2, 1.0);
  EXPECT_FALSE(watch.at(8)->is_drifting);
  for (std::size_t row = 8; row < 12; ++row) watch.add(row, 0.31, 1.0);
  const auto state = watch.at(12);
  EXPECT_NEAR(state->ratio, 0.31, 1e-12);
  EXPECT_NEAR(state->reference, 0.2, 1e-12);
  EXPECT_TRUE(state->is_drifting);
  watch.begin_anew();
  EXPECT_FALSE(watch.at(12).has_value());
}

// A month that is hard for everybody is no drift.
TEST(DriftWatch, StaysCalmWhereTheBaselineErrsAsMuchMore) {
  DriftWatch watch(2, 1);
  for (std::size_t row = 0; row < 6; ++row) watch.add(row, 0.2, 1.0);
  for (std::size_t row = 6; row < 8; ++row) watch.add(row, 2.0, 10.0);
  EXPECT_FALSE(watch.at(8)->is_drifting);
}

}  // namespace
}  // namespace pulsecast
