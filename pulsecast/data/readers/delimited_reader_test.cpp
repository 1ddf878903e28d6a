#include "pulsecast/data/readers/delimited_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pulsecast/base/random.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/testing.h"

namespace pulsecast {
namespace {

using testing::read_text;
using testing::refusal;

template <typename T>
std::vector<T> listed(const PackedRows<T>& rows) {
  return {rows.begin(), rows.end()};
}

TEST(DelimitedReader, AWideTable) {
  const Table table = read_text("date,a,b\n2024-01-01 00:00,1,2\n2024-01-01 01:00,3,4.5\n");
  EXPECT_EQ(table.rows(), 2U);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.columns[1].values, (ColumnValues{2, 4.5}));
  EXPECT_EQ(listed(table.lines), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(to_text(table.stamps[1], table.zone), "2024-01-01 01:00:00");
}

TEST(DelimitedReader, ByteOrderMarkCarriageReturnsAndNoLastLineEnd) {
  const Table table = read_text(
      "\xEF\xBB\xBF"
      "date;a\r\n2024-01-01;1,5\r\n2024-01-02;2");
  EXPECT_EQ(table.columns[0].values, (ColumnValues{1.5, 2}));
  EXPECT_EQ(table.columns[0].name, "a");
}

TEST(DelimitedReader, TheTimeColumnByNameByContentAndBySetting) {
  EXPECT_EQ(read_text("a,timestamp\n1,1719835200\n2,1719838800\n").columns[0].name, "a");
  EXPECT_EQ(read_text("a,when\n1,2024-01-01\n2,2024-01-02\n").columns[0].name, "a");
  DataSettings settings;
  settings.time_column = "second";
  const Table table =
      read_text("first,second,a\n2024-01-01,2025-01-01,1\n2024-01-02,2025-01-02,2\n", settings);
  EXPECT_EQ(to_text(table.stamps[0], Zone()), "2025-01-01 00:00:00");
}

TEST(DelimitedReader, ALongTableKeepsItsRowsAndNamesItsSeries) {
  const Table table = read_text(
      "unique_id,ds,y,region\nA,2024-01-01,1,north\nB,2024-01-05,2,south\nA,2024-01-02,3,north\n");
  EXPECT_EQ(table.series_names, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(listed(table.series), (std::vector<std::uint32_t>{0, 1, 0}));
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0].values, (ColumnValues{1, 2, 3}));
  EXPECT_TRUE(table.faults.empty());  // attributes without a role are not read
}

TEST(DelimitedReader, LongColumnsByTheirFlags) {
  DataSettings settings;
  settings.layout = Layout::kLong;
  settings.id_column = "shop";
  settings.value_column = "sales";
  settings.known = {"price"};
  const Table table =
      read_text("day,shop,sales,price\n2024-01-01,x,5,1.5\n2024-01-02,x,,1.6\n", settings);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].role, Role::kTarget);
  EXPECT_EQ(table.columns[1].role, Role::kKnown);
}

TEST(DelimitedReader, RolesByFlag) {
  DataSettings settings;
  settings.target = {"load"};
  settings.known = {"holiday"};
  settings.ignore = {"note"};
  const Table table =
      read_text("date,load,holiday,wind,note\n2024-01-01,1,0,2,x\n2024-01-02,2,1,3,y\n", settings);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].role, Role::kTarget);
  EXPECT_EQ(table.columns[1].role, Role::kKnown);
  EXPECT_EQ(table.columns[2].role, Role::kPast);  // beside named targets
  EXPECT_TRUE(table.faults.empty());
}

TEST(DelimitedReader, NumbersAloneGetStampsFromStartAndStep) {
  DataSettings settings;
  settings.start = "2006-01-01 00:00";
  settings.step = "10min";
  const Table table = read_text("1,2\n3,4\n5,6\n\n\n", settings);
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.columns[1].name, "2");
  EXPECT_EQ(to_text(table.stamps[2], Zone()), "2006-01-01 00:20:00");
}

TEST(DelimitedReader, WithoutStampsALineThatCannotBeReadKeepsItsPlace) {
  DataSettings settings;
  settings.start = "2006-01-01";
  settings.step = "1h";
  const Table table = read_text("1 2\n\n3 4 5\n6 7\n", settings);
  ASSERT_EQ(table.rows(), 4U);
  EXPECT_TRUE(std::isnan(table.columns[0].values[1]));
  EXPECT_TRUE(std::isnan(table.columns[0].values[2]));
  EXPECT_EQ(table.columns[0].values[3], 6);
  ASSERT_EQ(table.row_faults.size(), 1U);
  EXPECT_EQ(table.row_faults[0].line, 3U);
}

TEST(DelimitedReader, FaultsHaveTheirPlaceAndText) {
  const Table table = read_text(
      "date,a,b\n2024-01-01,x,1\n2024-01-02,,inf\nsoon,1,2\n2024-01-03,1\n2024-01-04,5,6\n");
  EXPECT_EQ(table.faults, (std::vector<CellFault>{{0, 0, CellFault::Kind::kUnreadable, "x"},
                                                  {1, 1, CellFault::Kind::kInfinite, "inf"}}));
  ASSERT_EQ(table.row_faults.size(), 2U);
  EXPECT_EQ(table.row_faults[0].line, 4U);
  EXPECT_NE(table.row_faults[0].cause.find("'soon' cannot be read"), std::string::npos);
  EXPECT_EQ(table.row_faults[1].cause, "2 cells where the first line has 3");
  EXPECT_EQ(listed(table.lines), (std::vector<std::uint64_t>{2, 3, 6}));
}

TEST(DelimitedReader, LinesAreCountedThroughQuotesAndBlankLines) {
  const Table table =
      read_text("date,\"a\nb\"\n\n2024-01-01,1\n2024-01-02,\"2\"\n\n2024-01-03,x\n");
  EXPECT_EQ(listed(table.lines), (std::vector<std::uint64_t>{4, 5, 7}));
}

TEST(DelimitedReader, TheRepeatedHourIsNoDuplicateAndTheSkippedOneAFault) {
  DataSettings settings;
  settings.time_zone = "Europe/Berlin";
  const Table autumn = read_text(
      "date,a\n2016-10-30 01:00,1\n2016-10-30 02:00,2\n2016-10-30 02:00,3\n2016-10-30 03:00,4\n",
      settings);
  for (std::size_t i = 1; i < autumn.rows(); ++i) {
    EXPECT_EQ(autumn.stamps[i].milliseconds - autumn.stamps[i - 1].milliseconds, 3'600'000);
  }
  const Table spring =
      read_text("date,a\n2016-03-27 01:00,1\n2016-03-27 02:00,2\n2016-03-27 03:00,3\n", settings);
  EXPECT_EQ(spring.rows(), 2U);
  EXPECT_EQ(spring.columns[0].values, (ColumnValues{1, 3}));
  ASSERT_EQ(spring.row_faults.size(), 1U);
  EXPECT_EQ(spring.row_faults[0].line, 3U);
  EXPECT_EQ(spring.row_faults[0].kind, RowFault::Kind::kSkippedHour);
}

// Property: a random table written in any dialect is read back equal, on any number of threads.
struct Writing {
  char separator;
  char decimal;
  const char* line_end;
  bool quotes;
  bool mark;
};

std::string number_text(double value, char decimal) {
  if (std::isnan(value)) return "";
  std::string text = fmt::format("{}", value);
  if (decimal == ',') std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

class EveryDialect : public ::testing::TestWithParam<Writing> {};

TEST_P(EveryDialect, RandomTablesAreReadBackEqual) {
  const Writing& writing = GetParam();
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const random::Stream stream{.seed = 100 + trial};
    const std::size_t rows = 1 + random::block(stream, 0)[0] % 40;
    const std::size_t columns = 1 + random::block(stream, 1)[0] % 6;
    std::vector<ColumnValues> expected(columns, ColumnValues(rows));
    std::string text = writing.mark ? "\xEF\xBB\xBF" : "";
    const auto cell = [&](const std::string& content) {
      return writing.quotes ? "\"" + content + "\"" : content;
    };
    text += cell("date");
    for (std::size_t c = 0; c < columns; ++c) {
      text += writing.separator + cell(fmt::format("channel {}", c));
    }
    text += writing.line_end;
    for (std::size_t r = 0; r < rows; ++r) {
      text += cell(to_text(Instant{static_cast<std::int64_t>(r) * 900'000}, Zone()));
      for (std::size_t c = 0; c < columns; ++c) {
        const std::uint64_t index = 10 + r * columns + c;
        const double scale =
            std::pow(10.0, static_cast<double>(random::block(stream, index)[3] % 9) - 4);
        double& value = expected[c][r];
        value = scale * random::normal(stream, index);
        // A first row of numbers, so that nobody takes it for something else.
        if (r > 0 && random::block(stream, index)[2] % 8 == 0) value = std::nan("");
        text += writing.separator + cell(number_text(value, writing.decimal));
      }
      text += writing.line_end;
    }
    for (const std::size_t threads : {1, 3}) {
      const Table table = read_text(text, {}, threads);
      ASSERT_EQ(table.rows(), rows) << text;
      ASSERT_EQ(table.columns.size(), columns) << text;
      EXPECT_TRUE(table.faults.empty() && table.row_faults.empty()) << text;
      for (std::size_t c = 0; c < columns; ++c) {
        EXPECT_EQ(table.columns[c].name, fmt::format("channel {}", c));
        for (std::size_t r = 0; r < rows; ++r) {
          const double found = table.columns[c].values[r];
          ASSERT_TRUE(found == expected[c][r] || (std::isnan(found) && std::isnan(expected[c][r])))
              << "row " << r << " column " << c << "\n"
              << text;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Dialects, EveryDialect,
    ::testing::Values(Writing{',', '.', "\n", false, false}, Writing{',', '.', "\r\n", true, true},
                      Writing{';', '.', "\n", false, false}, Writing{';', ',', "\r\n", false, true},
                      Writing{';', ',', "\n", true, false}, Writing{'\t', '.', "\n", false, false},
                      Writing{'\t', ',', "\r\n", true, false}));

// A file of many chunks, quotes with line ends among them, is the same on one thread and on four.
TEST(DelimitedReader, ManyChunksAreTheSameOnAnyNumberOfThreads) {
  std::string text = "date,note,a,b\n";
  for (std::size_t r = 0; r < 60'000; ++r) {
    text += to_text(Instant{static_cast<std::int64_t>(r) * 60'000}, Zone());
    text += r % 97 == 0 ? ",\"two\nlines\"" : ",plain";
    text += r % 1000 == 7 ? ",oops" : fmt::format(",{}", random::uniform({.seed = 9}, r));
    text += r % 5000 == 9 ? "\n" : fmt::format(",{}\n", r);
  }
  ASSERT_GT(text.size(), std::size_t{1} << 21);
  DataSettings settings;
  settings.ignore = {"note"};
  const Table one = read_text(text, settings, 1);
  const Table four = read_text(text, settings, 4);
  EXPECT_EQ(one.rows(), 60'000U - 12);
  EXPECT_EQ(one.row_faults.size(), 12U);
  EXPECT_EQ(one.faults.size(), 60U);
  EXPECT_EQ(one.lines, four.lines);
  EXPECT_EQ(one.stamps, four.stamps);
  EXPECT_EQ(one.faults, four.faults);
  EXPECT_EQ(one.row_faults, four.row_faults);
  EXPECT_EQ(one.columns[1].values, four.columns[1].values);
  // Lines are right to the end: the last row is in the file's last line.
  EXPECT_EQ(one.lines.back(),
            static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
}

}  // namespace
}  // namespace pulsecast
