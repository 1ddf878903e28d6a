#include "pulsecast/data/table/column_values.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace pulsecast {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kRows = kMegabyte / sizeof(double);

ColumnValues column_in(const std::shared_ptr<ColumnRegion>& region, std::size_t rows) {
  ColumnValues values{ColumnAllocator<double>(region)};
  values.reserve(rows);
  return values;
}

bool is_next_to(const ColumnValues& a, const ColumnValues& b) {
  return a.data() + a.capacity() == b.data();
}

TEST(ColumnValues, ColumnsShareARegionAndOutliveItsOwner) {
  auto region = std::make_shared<ColumnRegion>(4 * kMegabyte);
  ColumnValues first = column_in(region, kRows);
  ColumnValues second = column_in(region, kRows);
  EXPECT_TRUE(is_next_to(first, second));
  region.reset();
  first.assign(kRows, 1.0);
  second.assign(kRows, 2.0);
  EXPECT_EQ(first.back(), 1.0);
  EXPECT_EQ(second.front(), 2.0);
}

TEST(ColumnValues, PastTheRegionMemoryIsOrdinary) {
  const auto region = std::make_shared<ColumnRegion>(2 * kMegabyte);
  ColumnValues first = column_in(region, kRows);
  const ColumnValues second = column_in(region, kRows);
  const ColumnValues third = column_in(region, kRows);
  EXPECT_TRUE(is_next_to(first, second));
  EXPECT_FALSE(is_next_to(second, third));
  for (std::size_t i = 0; i < 2 * kRows; ++i) first.push_back(double(i));
  for (std::size_t i = 0; i < 2 * kRows; ++i) ASSERT_EQ(first[i], double(i));
}

TEST(ColumnValues, AMoveTakesTheMemoryAndACopyHasItsOwn) {
  const auto region = std::make_shared<ColumnRegion>(4 * kMegabyte);
  ColumnValues original = column_in(region, kRows);
  original.assign(kRows, 3.0);
  const double* memory = original.data();
  const ColumnValues copy = original;
  ColumnValues moved;
  moved = std::move(original);
  EXPECT_EQ(moved.data(), memory);
  EXPECT_EQ(copy, moved);
  EXPECT_EQ(copy.get_allocator(), ColumnAllocator<double>());
}

TEST(ColumnValues, FreedColumnsGiveTheirPagesBackAndLeaveTheNeighboursAlone) {
  const auto region = std::make_shared<ColumnRegion>(4 * kMegabyte);
  ColumnValues first = column_in(region, 1000);
  ColumnValues second = column_in(region, kRows + 1);
  ColumnValues third = column_in(region, 1000);
  for (ColumnValues* column : {&first, &second, &third}) column->assign(1000, 4.0);
  const double* memory = second.data();
  second = ColumnValues();
  EXPECT_EQ(memory[999], 0.0);  // a fresh page
  EXPECT_EQ(first, ColumnValues(1000, 4.0));
  EXPECT_EQ(third, ColumnValues(1000, 4.0));
}

TEST(ColumnValues, ARegionTooGreatOrTooSmallGivesNothing) {
  EXPECT_EQ(ColumnRegion(SIZE_MAX).take(8), nullptr);
  EXPECT_EQ(ColumnRegion((std::size_t{1} << 38) + 1).take(8), nullptr);
  EXPECT_EQ(ColumnRegion(100).take(8), nullptr);
}

}  // namespace
}  // namespace pulsecast
