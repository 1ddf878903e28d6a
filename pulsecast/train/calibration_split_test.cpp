#include "pulsecast/train/calibration_split.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pulsecast::train {
namespace {

TEST(CalibrationSplit, TakesTheNewestRowsAndSharesNone) {
  const CalibrationSplit split = split_for_calibration({100, 300}, 0.25, 24);
  EXPECT_EQ(split.stops, (RowRange{100, 250}));
  EXPECT_EQ(split.calibrates, (RowRange{250, 300}));
}

TEST(CalibrationSplit, LeavesValidationWholeWhereAPartWouldHaveNoWindow) {
  for (const double share : {0.1, 0.5, 0.9}) {
    const CalibrationSplit split = split_for_calibration({100, 140}, share, 24);
    EXPECT_EQ(split.stops, (RowRange{100, 140}));
    EXPECT_EQ(split.calibrates.size(), 0u);
  }
  EXPECT_EQ(split_for_calibration({0, 48}, 0.5, 24).calibrates, (RowRange{24, 48}));
}

TEST(CalibrationSplit, OfAPanelIsBySeries) {
  std::vector<RowRange> rows(10, RowRange{90, 100});
  rows[3] = {0, 0};
  const std::vector<bool> calibrates = series_that_calibrate(rows, 0.5);
  EXPECT_FALSE(calibrates[3]);
  EXPECT_EQ(std::ranges::count(calibrates, true), 4);
  EXPECT_FALSE(calibrates[0]) << "one at least chooses the epoch";
  const std::vector<RowRange> one = {{0, 10}, {5, 5}};
  EXPECT_EQ(std::ranges::count(series_that_calibrate(one, 0.9), true), 0);
}

}  // namespace
}  // namespace pulsecast::train
