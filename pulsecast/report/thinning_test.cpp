#include "pulsecast/report/thinning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pulsecast::report {
namespace {

TEST(Thinning, FewRowsStayAsTheyAre) {
  const std::vector<double> values = {3, 1, 2};
  const Thinning thinning(3, 4, 0);
  EXPECT_EQ(thinning.rows(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(thinning.thin(values), values);
}

TEST(Thinning, NoPeakIsLostAndTheNewestAreWhole) {
  std::vector<double> values(10'000, 1.0);
  values[1234] = 99.0;
  values[4321] = -99.0;
  values[9990] = 7.0;
  const Thinning thinning(values.size(), 400, 100);
  const std::vector<double> points = thinning.thin(values);
  EXPECT_EQ(points.size(), thinning.rows().size());
  EXPECT_LE(points.size(), 400u);
  EXPECT_EQ(std::ranges::max(points), 99.0);
  EXPECT_EQ(std::ranges::min(points), -99.0);
  ASSERT_GE(points.size(), 100u);
  EXPECT_EQ(points[points.size() - 10], 7.0) << "the newest rows are kept one by one";
  EXPECT_TRUE(std::ranges::is_sorted(thinning.rows()));
}

TEST(Thinning, LowAndHighComeInTheirOrder) {
  std::vector<double> values(16, 0.0);
  values[1] = 5.0;
  values[2] = -5.0;  // falls
  values[9] = -6.0;
  values[10] = 6.0;  // rises
  EXPECT_EQ(Thinning(16, 4, 0).thin(values), (std::vector<double>{5, -5, -6, 6}));
}

TEST(Thinning, AStretchOfGapsIsAGap) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(16, kNone);
  values[12] = 2.0;
  const std::vector<double> points = Thinning(16, 4, 0).thin(values);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_TRUE(std::isnan(points[0]) && std::isnan(points[1]));
  EXPECT_EQ(points[2], 2.0);
}

}  // namespace
}  // namespace pulsecast::report
