#include "pulsecast/data/readers/number_cell.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast {
namespace {

using CellKind = NumberCell::Kind;

TEST(NumberCell, NumbersInTheFormsThatProgramsWrite) {
  EXPECT_EQ(read_number(" 1.5\t", '.').value, 1.5);
  EXPECT_EQ(read_number("-3", '.').value, -3);
  EXPECT_EQ(read_number("+3", '.').value, 3);
  EXPECT_EQ(read_number("1e-3", '.').value, 1e-3);
  EXPECT_EQ(read_number(".5", '.').value, 0.5);
  EXPECT_EQ(read_number("1,5", ',').value, 1.5);
  EXPECT_EQ(read_number("1e-400", '.').value, 0);
  EXPECT_EQ(read_number("5.827000141143799", '.').value, 5.827000141143799);
}

TEST(NumberCell, MarksOfMissingValuesAreEmpty) {
  for (const char* text :
       {"", "  ", "NA", "n/a", "NaN", "-nan", "NULL", "None", "-", "?", "#N/A"}) {
    EXPECT_EQ(read_number(text, '.').kind, CellKind::kEmpty) << text;
    EXPECT_TRUE(std::isnan(read_number(text, '.').value)) << text;
  }
}

TEST(NumberCell, InfiniteAndTooGreat) {
  for (const char* text : {"inf", "-Infinity", "1e999", "-1e999"}) {
    EXPECT_EQ(read_number(text, '.').kind, CellKind::kInfinite) << text;
  }
}

TEST(NumberCell, WhatIsNoNumberIsUnreadable) {
  for (const char* text : {"x", "1.5x", "1,234", "1 234", "12%", "1.2.3", "0x10", "--1", "+-1",
                           "1e", "$5", "nan(1)", "1_000", "True"}) {
    EXPECT_EQ(read_number(text, '.').kind, CellKind::kUnreadable) << text;
  }
  // A point that means thousands must not be read as a decimal point.
  EXPECT_EQ(read_number("1.234", ',').kind, CellKind::kUnreadable);
  EXPECT_EQ(read_number("1.234,5", ',').kind, CellKind::kUnreadable);
}

}  // namespace
}  // namespace pulsecast
