#include "pulsecast/data/readers/columns_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/readers/read_table.h"

namespace pulsecast {
namespace {

class TypedTexts : public TypedColumn {
 public:
  TypedTexts(std::string name, std::vector<std::string> cells)
      : TypedColumn(std::move(name), "utf8", TypedColumn::Kind::kText, cells.size()),
        cells_(std::move(cells)) {}
  std::string cell(std::size_t row) const override { return cells_[row]; }

 private:
  std::vector<std::string> cells_;
};

class TypedNumbers : public TypedColumn {
 public:
  TypedNumbers(std::string name, std::vector<double> values)
      : TypedColumn(std::move(name), "float64", TypedColumn::Kind::kNumbers, values.size()),
        values_(std::move(values)) {}
  void numbers(std::size_t first, std::span<double> out) const override {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
  }

 private:
  std::vector<double> values_;
};

class TypedStamps : public TypedColumn {
 public:
  TypedStamps(std::string name, std::vector<std::int64_t> milliseconds,
              std::optional<Zone> zone = {})
      : TypedColumn(std::move(name), "timestamp[ms]", TypedColumn::Kind::kStamps,
                    milliseconds.size()),
        milliseconds_(std::move(milliseconds)),
        zone_(zone) {}
  std::size_t stamps(std::size_t first, std::span<std::int64_t> out) const override {
    std::copy_n(milliseconds_.begin() + static_cast<std::ptrdiff_t>(first), out.size(),
                out.begin());
    return 0;
  }
  std::optional<Zone> zone() const override { return zone_; }

 private:
  std::vector<std::int64_t> milliseconds_;
  std::optional<Zone> zone_;
};

template <typename... Columns>
TypedColumns columns_of(Columns... columns) {
  TypedColumns all;
  (all.push_back(std::move(columns)), ...);
  return all;
}

template <typename Column, typename... Arguments>
std::unique_ptr<TypedColumn> typed(Arguments... arguments) {
  return std::make_unique<Column>(std::move(arguments)...);
}

Table table_of_file(const std::string& text, const DataSettings& settings = {}) {
  ThreadPool alone(1);
  return read_table(memory_source(text), "file", settings, alone);
}

void expect_as_file(const Table& table, const Table& file) {
  EXPECT_TRUE(std::ranges::equal(table.stamps, file.stamps));
  EXPECT_EQ(table.series_names, file.series_names);
  EXPECT_EQ(table.series, file.series);
  EXPECT_EQ(table.value_column, file.value_column);
  EXPECT_EQ(table.statics, file.statics);
  EXPECT_EQ(table.zone, file.zone);
  EXPECT_EQ(table.shows_wall_clock, file.shows_wall_clock);
  EXPECT_EQ(table.found.id_column, file.found.id_column);
  ASSERT_EQ(table.columns.size(), file.columns.size());
  for (std::size_t c = 0; c < file.columns.size(); ++c) {
    EXPECT_EQ(table.columns[c].name, file.columns[c].name);
    EXPECT_EQ(table.columns[c].role, file.columns[c].role);
    for (std::size_t row = 0; row < file.rows(); ++row) {
      const double own = table.columns[c].values[row];
      const double other = file.columns[c].values[row];
      EXPECT_TRUE(own == other || (std::isnan(own) && std::isnan(other))) << c << ", " << row;
    }
  }
}

constexpr std::int64_t kOneDay = 86'400'000;
constexpr std::int64_t kFirstDay = 19'723 * kOneDay;  // 2024-01-01

TEST(ColumnsReader, AWideFrameIsAWideFile) {
  const Table table = read_columns(
      columns_of(typed<TypedStamps>(std::string("when"), std::vector{kFirstDay, kFirstDay + kOneDay,
                                                                     kFirstDay + 2 * kOneDay}),
                 typed<TypedNumbers>(std::string("a"), std::vector{1.0, kMissing, 3.0}),
                 typed<TypedTexts>(std::string("b"), std::vector<std::string>{"1.5", "", "2.5"})),
      "frame", {});
  expect_as_file(table,
                 table_of_file("when,a,b\n2024-01-01,1,1.5\n2024-01-02,,\n2024-01-03,3,2.5\n"));
}

TEST(ColumnsReader, StaticColumnsAndIdsAreWords) {
  DataSettings settings;
  settings.static_columns = {"region", "size"};
  const Table table = read_columns(
      columns_of(
          typed<TypedTexts>(std::string("unique_id"), std::vector<std::string>{"a", " a", "b"}),
          typed<TypedTexts>(std::string("ds"),
                            std::vector<std::string>{"2024-01-01", "2024-01-02", "2024-01-01"}),
          typed<TypedTexts>(std::string("region"), std::vector<std::string>{"n", "", "s"}),
          typed<TypedNumbers>(std::string("size"), std::vector{2.0, 2.0, 7.5}),
          typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0, 3.0})),
      "frame", settings);
  expect_as_file(
      table, table_of_file("unique_id,ds,region,size,y\na,2024-01-01,n,2,1\n a,2024-01-02,,2,2\n"
                           "b,2024-01-01,s,7.5,3\n",
                           settings));
  EXPECT_EQ(table.statics[1].values, (std::vector<std::string>{"2", "7.5"}));
}

// Nobody names the columns as we do: stamps repeat once for each store.
TEST(ColumnsReader, FindsThatRowsAreLong) {
  std::string text = "store,day,sold\n";
  std::vector<std::string> stores;
  std::vector<std::int64_t> days;
  std::vector<double> sold;
  for (int day = 0; day < 20; ++day) {
    for (const char* store : {"x", "y", "z"}) {
      stores.emplace_back(store);
      days.push_back(kFirstDay + day * kOneDay);
      sold.push_back(day * 1.25 + store[0]);
      text += fmt::format("{},2024-01-{:02},{}\n", store, day + 1, sold.back());
    }
  }
  const Table table =
      read_columns(columns_of(typed<TypedTexts>(std::string("store"), stores),
                              typed<TypedStamps>(std::string("day"), days, std::optional<Zone>()),
                              typed<TypedNumbers>(std::string("sold"), sold)),
                   "frame", {});
  EXPECT_EQ(table.series_names.size(), 3U);
  expect_as_file(table, table_of_file(text));
}

TEST(ColumnsReader, StampsInPartsOrAsNumbersAreRead) {
  const Table parts = read_columns(
      columns_of(typed<TypedTexts>(std::string("date"),
                                   std::vector<std::string>{"2024-01-01", "2024-01-01"}),
                 typed<TypedNumbers>(std::string("hour"), std::vector{0.0, 1.0}),
                 typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0})),
      "frame", {});
  expect_as_file(parts, table_of_file("date,hour,y\n2024-01-01,0,1\n2024-01-01,1,2\n"));
  const Table epochs = read_columns(
      columns_of(typed<TypedNumbers>(std::string("ds"), std::vector{1704067200.0, 1704070800.0}),
                 typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0})),
      "frame", {});
  expect_as_file(epochs, table_of_file("ds,y\n1704067200,1\n1704070800,2\n"));
}

TEST(ColumnsReader, RowsWithoutAStampAreFaults) {
  const std::int64_t none = TypedColumn::kNoStamp;
  for (const std::optional<Zone>& zone : {std::optional<Zone>(), std::optional<Zone>(Zone())}) {
    for (const char* told : {"", "Europe/Berlin"}) {
      DataSettings settings;
      if (*told != '\0') settings.time_zone = told;
      const Table table = read_columns(
          columns_of(
              typed<TypedStamps>(std::string("ds"),
                                 std::vector{kFirstDay, none, kLatestInstant.milliseconds + 1,
                                             kFirstDay + kOneDay},
                                 zone),
              typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0, 3.0, 4.0})),
          "frame", settings);
      ASSERT_EQ(table.rows(), 2U);
      EXPECT_EQ(table.columns[0].values[1], 4.0);
      ASSERT_EQ(table.row_faults.size(), 2U);
      EXPECT_EQ(table.row_faults[0].kind, RowFault::Kind::kStampEmpty);
      EXPECT_EQ(table.row_faults[0].line, 2U);
      EXPECT_EQ(table.row_faults[1].kind, RowFault::Kind::kStampUnreadable);
    }
  }
}

TEST(ColumnsReader, InstantsBringTheirZone) {
  const Zone berlin = Zone::named("Europe/Berlin");
  const auto read = [&](const DataSettings& settings) {
    return read_columns(columns_of(typed<TypedStamps>(std::string("ds"),
                                                      std::vector{kFirstDay, kFirstDay + kOneDay},
                                                      std::optional<Zone>(berlin)),
                                   typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0})),
                        "frame", settings);
  };
  const Table own = read({});
  EXPECT_EQ(own.zone, berlin);
  EXPECT_EQ(own.found.time_zone, "Europe/Berlin");
  EXPECT_EQ(own.stamps.front().milliseconds, kFirstDay);
  DataSettings settings;
  settings.time_zone = "Asia/Tokyo";
  const Table told = read(settings);
  EXPECT_EQ(told.zone, Zone::named("Asia/Tokyo"));
  EXPECT_EQ(told.found.time_zone, std::nullopt);
  EXPECT_EQ(told.stamps.front().milliseconds, kFirstDay);
}

TEST(ColumnsReader, RefusesWhatIsNoTable) {
  const auto message = [](const TypedColumns& columns, const DataSettings& settings = {}) {
    try {
      read_columns(columns, "frame", settings);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  const auto ds = [] {
    return typed<TypedStamps>(std::string("ds"), std::vector{kFirstDay, kFirstDay + kOneDay});
  };
  EXPECT_EQ(message({}), "frame: there is no column");
  EXPECT_EQ(message(columns_of(ds(), typed<TypedNumbers>(std::string("y"), std::vector{1.0}))),
            "frame: column 'y' has 1 value, and column 'ds' 2");
  EXPECT_EQ(message(columns_of(ds(), ds())), "frame: two columns are called 'ds'");
  TypedColumns odd = columns_of(ds());
  odd.push_back(std::make_unique<TypedColumn>("tags", "list", TypedColumn::Kind::kOther, 2));
  EXPECT_EQ(message(odd),
            "frame, column 'tags': column 'tags' is of type list, where numbers are expected. "
            "ignore = tags leaves it out");
  odd.push_back(typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0}));
  DataSettings settings;
  settings.ignore = {"tags"};
  EXPECT_EQ(message(odd, settings), "read");
}

TEST(ColumnsReader, IsCancelledBetweenColumns) {
  const TypedColumns columns =
      columns_of(typed<TypedStamps>(std::string("ds"), std::vector{kFirstDay, kFirstDay + kOneDay}),
                 typed<TypedNumbers>(std::string("y"), std::vector{1.0, 2.0}),
                 typed<TypedNumbers>(std::string("z"), std::vector{1.0, 2.0}));
  int asked = 0;
  const Watch watch{.is_cancelled = [&] { return ++asked == 2; }};
  try {
    read_columns(columns, "frame", {}, watch);
    FAIL() << "was not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

}  // namespace
}  // namespace pulsecast
