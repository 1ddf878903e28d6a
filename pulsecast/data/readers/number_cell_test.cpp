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
  for (const char* text :
       {"x", "1.5x", "1,234", "1 23", "1.2.3", "0x10", "--1", "+-1", "1e", "nan(1)", "1_000"}) {
    EXPECT_EQ(read_number(text, '.').kind, CellKind::kUnreadable) << text;
  }
  // A point that means thousands must not be read as a decimal point.
  EXPECT_EQ(read_number("1.23", ',').kind, CellKind::kUnreadable);
}

TEST(NumberCell, AsPeopleWriteThem) {
  const auto value = [](std::string_view text, char decimal) {
    const NumberCell number = read_number(text, decimal);
    EXPECT_TRUE(number.is_dressed) << text;
    return number.value;
  };
  EXPECT_EQ(value("10,018.94", '.'), 10018.94);
  EXPECT_EQ(value("1.374,78", ','), 1374.78);
  EXPECT_EQ(value("1.374", ','), 1374);
  EXPECT_EQ(value("1,234,567", '.'), 1234567);
  EXPECT_EQ(value("1'234.5", '.'), 1234.5);
  EXPECT_EQ(value("1 234,5", ','), 1234.5);
  EXPECT_EQ(value("12 345", '.'), 12345);
  EXPECT_EQ(value("1\xC2\xA0"
                  "234\xC2\xA0\xE2\x82\xAC",
                  ','),
            1234);
  EXPECT_EQ(value("1\xE2\x80\xAF"
                  "234\xE2\x80\xAF"
                  "567",
                  ','),
            1234567);
  EXPECT_EQ(value("1\xE2\x80\x99"
                  "234.5",
                  '.'),
            1234.5);
  EXPECT_EQ(value("\xE2\x88\x92"
                  "5.5",
                  '.'),
            -5.5);
  EXPECT_EQ(value("(433.38)", '.'), -433.38);
  EXPECT_EQ(value("($1,200.50)", '.'), -1200.5);
  EXPECT_EQ(value("$5", '.'), 5);
  EXPECT_EQ(value("-$1,200.50", '.'), -1200.5);
  EXPECT_EQ(value("12,5 %", ','), 12.5);
  EXPECT_EQ(value("99 \xE2\x82\xAC", '.'), 99);
  EXPECT_EQ(value("True", '.'), 1);
  EXPECT_EQ(value("false", '.'), 0);
}

TEST(NumberCell, WhatMayBeTwoNumbersIsNone) {
  for (const char* text : {"1,234", "0,123", "12,34.5", "1,23,456.0", "%", "$", "--5", "$-",
                           "1.2.3", "()", "(-5)", "(x)", "1 2345"}) {
    EXPECT_EQ(read_number(text, '.').kind, NumberCell::Kind::kUnreadable) << text;
  }
}

}  // namespace
}  // namespace pulsecast
