#include "pulsecast/data/readers/npz_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/testing/zipped.h"

namespace pulsecast {
namespace {

DataSettings stamped() {
  DataSettings settings;
  settings.start = "2018-01-01";
  settings.step = "5min";
  return settings;
}

using testing::npy;
using testing::read_text;
using testing::refusal;
using testing::zipped;

TEST(ZipArchive, OneTableOfTextIsRead) {
  const std::string text = "date,a\n2024-01-01,1\n2024-01-02,2\n";
  const Table table =
      read_text(zipped({{"load.csv", text}, {"__MACOSX/load.csv", "x"}, {"readme.md", "y"}}, true));
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.columns[0].values[1], 2);
  EXPECT_EQ(table.notes[0], "zip, of which 'load.csv'");
  EXPECT_NE(refusal(zipped({{"a.csv", text}, {"b.csv", text}}, true)).find("holds 2 tables"),
            std::string::npos);
}

TEST(NpzReader, RowsBySensorsInBothOrdersAndBothPackings) {
  const std::vector<double> rows_first = {1, 2, 3, 4, 5, 6};
  const std::vector<double> columns_first = {1, 3, 5, 2, 4, 6};
  for (const bool is_deflated : {false, true}) {
    for (const bool is_fortran : {false, true}) {
      const Table table = read_text(
          zipped({{"data.npy",
                   npy("<f8", "(3, 2)", is_fortran ? columns_first : rows_first, is_fortran)}},
                 is_deflated),
          stamped());
      ASSERT_EQ(table.rows(), 3U);
      ASSERT_EQ(table.columns.size(), 2U);
      EXPECT_EQ(table.columns[0].name, "1");
      EXPECT_EQ(table.columns[0].values, (ColumnValues{1, 3, 5}));
      EXPECT_EQ(table.columns[1].values, (ColumnValues{2, 4, 6}));
      EXPECT_EQ(to_text(table.stamps[2], Zone()), "2018-01-01 00:10:00");
    }
  }
}

TEST(NpzReader, AFeatureOfThreeAxesInBothOrders) {
  // element (row, sensor, feature) = 100 row + 10 sensor + feature
  std::vector<float> c_order;
  for (int r = 0; r < 2; ++r) {
    for (int s = 0; s < 3; ++s) {
      for (int f = 0; f < 2; ++f) c_order.push_back(static_cast<float>(100 * r + 10 * s + f));
    }
  }
  std::vector<float> fortran;
  for (int f = 0; f < 2; ++f) {
    for (int s = 0; s < 3; ++s) {
      for (int r = 0; r < 2; ++r) fortran.push_back(static_cast<float>(100 * r + 10 * s + f));
    }
  }
  DataSettings settings = stamped();
  for (const std::int64_t feature : {0, 1}) {
    settings.feature = feature;
    const auto f = static_cast<double>(feature);
    for (const Table& table : {read_text(npy("<f4", "(2, 3, 2)", c_order), settings),
                               read_text(npy("<f4", "(2, 3, 2)", fortran, true), settings)}) {
      ASSERT_EQ(table.columns.size(), 3U);
      EXPECT_EQ(table.columns[2].values, (ColumnValues{20 + f, 120 + f}));
    }
  }
  settings.feature = 2;
  EXPECT_NE(refusal(npy("<f4", "(2, 3, 2)", c_order), settings).find("features 0 to 1"),
            std::string::npos);
}

TEST(NpzReader, WholeNumbersOfEverySizeAndOtherEndianness) {
  const auto first = [](const Table& table) { return table.columns[0].values; };
  const ColumnValues expected = {1, -2};
  EXPECT_EQ(first(read_text(npy<std::int8_t>("|i1", "(2,)", {1, -2}), stamped())), expected);
  EXPECT_EQ(first(read_text(npy<std::int16_t>("<i2", "(2,)", {1, -2}), stamped())), expected);
  EXPECT_EQ(first(read_text(npy<std::int32_t>("<i4", "(2,)", {1, -2}), stamped())), expected);
  EXPECT_EQ(first(read_text(npy<std::int64_t>("<i8", "(2,)", {1, -2}), stamped())), expected);
  EXPECT_EQ(first(read_text(npy<std::uint16_t>(">u2", "(2,)", {0x0100, 0x0200}), stamped())),
            (ColumnValues{1, 2}));
  EXPECT_EQ(first(read_text(npy<std::uint8_t>("|b1", "(2,)", {0, 1}), stamped())),
            (ColumnValues{0, 1}));
}

TEST(NpzReader, NanIsMissingAndInfinityIsAFault) {
  const Table table = read_text(
      npy<double>("<f8", "(3, 1)", {1, std::nan(""), std::numeric_limits<double>::infinity()}),
      stamped());
  EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
  ASSERT_EQ(table.faults.size(), 1U);
  EXPECT_EQ(table.faults[0], (CellFault{2, 0, CellFault::Kind::kInfinite, "inf"}));
}

TEST(NpzReader, TheArrayIsChosenByNameOrBecauseItIsTheOnlyOne) {
  const std::string one = npy<double>("<f8", "(1,)", {1});
  const std::string two = npy<double>("<f8", "(1,)", {2});
  EXPECT_EQ(read_text(zipped({{"x.npy", one}}, false), stamped()).columns[0].values[0], 1);
  EXPECT_EQ(
      read_text(zipped({{"x.npy", one}, {"data.npy", two}}, false), stamped()).columns[0].values[0],
      2);
  const std::string both = zipped({{"x.npy", one}, {"y.npy", two}}, false);
  EXPECT_NE(refusal(both, stamped()).find("names one"), std::string::npos);
  DataSettings settings = stamped();
  settings.array = "y";
  EXPECT_EQ(read_text(both, settings).columns[0].values[0], 2);
  settings.array = "z";
  EXPECT_NE(refusal(both, settings).find("there are: x, y"), std::string::npos);
}

TEST(NpzReader, WhatCannotBeReadIsRefusedWithTheReason) {
  const auto says = [](const std::string& bytes, const char* words) {
    const std::string message = refusal(bytes, stamped());
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says(npy<double>("<f8", "(3, 2)", {1, 2, 3}), "cut short");
  says(npy<double>("|O", "(1,)", {1}), "type '|O' are not read");
  says(npy<double>("<c16", "(1,)", {1}), "are not read");
  says(npy<double>("<f8", "(0, 2)", {}), "is empty");
  says(npy<double>("<f8", "()", {1}), "expected rows x sensors");
  says(npy<double>("<f8", "(1, 1, 1, 1)", {1}), "expected rows x sensors");
  says(npy<double>("<f8", "(4000000000, 99999)", {1}), "cut short");
  says(npy<double>("<f8", "(1, 200000)", {1}), "100000 sensors");
  says(npy<double>("<f8", "(x)", {1}), "shape cannot be read");
  says("\x93NUMPY\x09", "no NumPy array");
  says(zipped({{"readme.bin", "hello"}}, false), "holds no array");
  std::string damaged = zipped({{"data.npy", npy<double>("<f8", "(2,)", {1, 2})}}, false);
  damaged[damaged.size() / 2] ^= 0x55;
  EXPECT_FALSE(refusal(damaged, stamped()).empty());
  says(std::string("PK\x03\x04") + "garbage", "archive is damaged");
}

TEST(NpzReader, ArraysNeedAStart) {
  EXPECT_NE(refusal(npy<double>("<f8", "(1,)", {1})).find("a start and a step are needed"),
            std::string::npos);
}

}  // namespace
}  // namespace pulsecast
