#include "pulsecast/base/counted.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace pulsecast {
namespace {

TEST(Counted, OneIsSingularAndAllElseIsNot) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(counted(std::size_t{1} << 40, "byte"), "1099511627776 bytes");
  EXPECT_EQ(counted(std::int64_t{-1}, "step"), "-1 steps");
}

TEST(Counted, ManyIsTakenAsGiven) {
  EXPECT_EQ(counted(1, "value is", "values are"), "1 value is");
  EXPECT_EQ(counted(3, "value is", "values are"), "3 values are");
}

}  // namespace
}  // namespace pulsecast
