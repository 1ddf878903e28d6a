// Columns that say one thing of a series, read from long files, folders and frames.
#include <gtest/gtest.h>

#include <fstream>

#include "pulsecast/base/testing.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/data/readers/frame_reader.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/repair/repair.h"

namespace pulsecast {
namespace {

using testing::read_text;
using testing::refusal;

DataSettings statics(std::vector<std::string> columns) {
  DataSettings settings;
  settings.static_columns = std::move(columns);
  return settings;
}

constexpr const char* kShops =
    "unique_id,ds,y,region,size\n"
    "a,2024-01-01,1,west,120\n"
    "a,2024-01-02,2,west,120\n"
    "b,2024-01-01,3,,80\n"
    "b,2024-01-02,4,east,80\n";

TEST(StaticColumns, AreOneTextASeriesAndNoChannel) {
  const Table table = read_text(kShops, statics({"region", "size"}));
  ASSERT_EQ(table.statics.size(), 2u);
  EXPECT_EQ(table.statics[0], (StaticColumn{"region", {"west", "east"}}));
  EXPECT_EQ(table.statics[1], (StaticColumn{"size", {"120", "80"}}));
  EXPECT_EQ(table.columns.size(), 1u);
}

// Labels that a file's layout is found by: a static column names no series.
TEST(StaticColumns, AreReadWhereTheLayoutIsFound) {
  std::string text = "shop,region,day,sold\n";
  for (int shop = 0; shop < 3; ++shop) {
    for (int day = 1; day < 9; ++day) {
      text += std::string("s") + std::to_string(shop) + (shop == 1 ? ",east," : ",west,") +
              "2024-01-0" + std::to_string(day) + "," + std::to_string(day * shop % 5) + "\n";
    }
  }
  const Table table = read_text(text, statics({"region"}));
  EXPECT_EQ(table.found.id_column, "shop");
  ASSERT_EQ(table.statics.size(), 1u);
  EXPECT_EQ(table.statics[0].values, (std::vector<std::string>{"west", "east", "west"}));
}

TEST(StaticColumns, MayBeAmongThoseThatNameTheSeries) {
  DataSettings settings = statics({"region"});
  settings.layout = Layout::kLong;
  settings.id_column = "unique_id,region";
  const Table table =
      read_text("unique_id,region,ds,y\n1,west,2024-01-01,1\n1,east,2024-01-01,2\n", settings);
  EXPECT_EQ(table.series_names, (std::vector<std::string>{"1/west", "1/east"}));
  EXPECT_EQ(table.statics[0].values, (std::vector<std::string>{"west", "east"}));
}

TEST(StaticColumns, WhatChangesWithinASeriesIsRefusedWithItsLine) {
  const std::string varying = "unique_id,ds,y,region\na,2024-01-01,1,west\na,2024-01-02,2,east\n";
  const std::string message = refusal(varying, statics({"region"}));
  EXPECT_NE(message.find("file.csv:3"), std::string::npos) << message;
  EXPECT_NE(message.find("'east' here and 'west' before"), std::string::npos) << message;
  EXPECT_NE(refusal(kShops, statics({"regoin"})).find("region"), std::string::npos);
  EXPECT_NE(refusal(kShops, statics({"ds"})).find("holds the stamps"), std::string::npos);
  DataSettings both = statics({"size"});
  both.known = {"size"};
  EXPECT_NE(refusal(kShops, both).find("can have no role"), std::string::npos);
}

TEST(StaticColumns, AWideFileHasNone) {
  const char* wide = "date,a,region\n2024-01-01,1,west\n2024-01-02,2,west\n";
  const DataSettings settings = statics({"region"});
  try {
    repair(read_text(wide, settings), settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("side by side"), std::string::npos) << error.what();
  }
}

// Series are numbered anew where one is left out, and their statics with them.
TEST(StaticColumns, FollowTheirSeries) {
  DataSettings settings = statics({"region"});
  settings.drop = {"a"};
  const Series series = repair(read_text(kShops, settings), settings).series;
  ASSERT_EQ(series.channels.size(), 1u);
  EXPECT_EQ(series.statics[0].values[series.channels[0].series], "east");
}

TEST(StaticColumns, EachFileOfAFolderSaysItsOwn) {
  const testing::TemporaryFolder folder;
  for (const char* shop : {"north", "south"}) {
    std::ofstream(folder.path() / (std::string(shop) + ".csv"))
        << "day,sold,region\n2024-01-01,1," << shop[0] << "\n2024-01-02,2," << shop[0] << "\n";
  }
  ThreadPool pool(1);
  const Series series = read_series(folder.path().string(), statics({"region"}), pool).series;
  ASSERT_EQ(series.statics.size(), 1u);
  EXPECT_EQ(series.statics[0].values, (std::vector<std::string>{"n", "s"}));
}

TEST(StaticColumns, AreNumbersOfAFrame) {
  const std::vector<std::int64_t> stamps = {0, 86'400'000, 0, 86'400'000};
  const std::vector<std::string> ids = {"a", "a", "b", "b"};
  const std::vector<double> sold = {1, 2, 3, 4};
  std::vector<double> size = {120, 120, 80, 80};
  Frame frame;
  frame.stamps(std::span<const std::int64_t>(stamps))
      .ids(ids)
      .column("y", std::span<const double>(sold));
  frame.column("size", std::span<const double>(size));
  const Table table = read_frame(frame, statics({"size"}));
  ASSERT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(table.statics[0].values, (std::vector<std::string>{"120", "80"}));
  size[1] = 121;
  EXPECT_THROW(read_frame(frame, statics({"size"})), Error);
}

}  // namespace
}  // namespace pulsecast
