#include "pulsecast/settings/data_settings.h"

#include <gtest/gtest.h>

#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

// Nothing is repaired that was not asked for.
TEST(DataSettings, DefaultsRefuse) {
  const DataSettings settings;
  EXPECT_EQ(settings.fill, Fill::kRefuse);
  EXPECT_EQ(settings.duplicates, Duplicates::kRefuse);
  EXPECT_EQ(settings.order, Order::kRefuse);
  EXPECT_EQ(settings.grid.value_or(usual::kGrid), Grid::kTime);
  EXPECT_FALSE(settings.resample);
  EXPECT_TRUE(settings.drop.empty());
}

}  // namespace
}  // namespace pulsecast
