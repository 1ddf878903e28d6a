#include "pulsecast/evaluate/coverage_watch.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

TEST(CoverageWatch, TellsOnlyOfWindowsThatHaveCome) {
  CoverageWatch watch(80.0, 2, 4);
  watch.add(10, 0.8);
  watch.add(11, 0.8);
  EXPECT_FALSE(watch.at(14).has_value()) << "the second window has a step to come";
  EXPECT_DOUBLE_EQ(watch.at(15).value(), 0.8);
}

TEST(CoverageWatch, RisesWellBelowThePromiseAndFallsAgain) {
  CoverageWatch watch(80.0, 3, 1);
  std::size_t row = 0;
  const auto after = [&](double hits) {
    for (int i = 0; i < 3; ++i) watch.add(row++, hits);
    return watch.is_low(watch.at(row).value());
  };
  EXPECT_FALSE(after(0.9));
  EXPECT_FALSE(after(0.66));
  EXPECT_TRUE(after(0.64));
  EXPECT_FALSE(after(0.8)) << "older origins no longer count";
}

}  // namespace
}  // namespace pulsecast
