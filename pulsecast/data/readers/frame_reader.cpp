#include "pulsecast/data/readers/frame_reader.h"

#include <fmt/format.h>
#include <algorithm>

#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/data/readers/column_plan.h"
#include "pulsecast/data/readers/even_stamps.h"
#include "pulsecast/data/readers/row_stamps.h"

namespace pulsecast {
namespace {

std::size_t rows_of(const Frame& frame) {
  if (frame.columns().empty()) {
    throw_error(ErrorKind::kData, frame.source(), "there is no column of values");
  }
  const std::size_t rows = frame.columns().front().count;
  const auto require_as_many = [&](std::size_t count, const std::string& what) {
    if (count == rows) return;
    throw_error(ErrorKind::kUsage, frame.source(), "{} has {}, and column '{}' {}", what,
                counted(count, "value"), frame.columns().front().name, rows);
  };
  if (frame.stamps().are_there()) require_as_many(frame.stamps().count, "the list of stamps");
  if (!frame.ids().empty()) require_as_many(frame.ids().size(), "the list of ids");
  std::set<std::string_view> names;
  for (const Frame::Column& column : frame.columns()) {
    require_as_many(column.count, fmt::format("column '{}'", column.name));
    if (!names.insert(column.name).second) {
      throw_error(ErrorKind::kUsage, frame.source(), "two columns are called '{}'", column.name);
    }
  }
  if (rows == 0) throw_error(ErrorKind::kData, frame.source(), "there are no rows");
  if (rows > std::numeric_limits<std::uint32_t>::max()) {
    throw_error(ErrorKind::kData, frame.source(), "holds more than {} rows, which is the most",
                std::numeric_limits<std::uint32_t>::max());
  }
  return rows;
}

void take_ids(const Frame& frame, Table& table) {
  std::unordered_map<std::string_view, std::uint32_t> index;
  for (const std::string& id : frame.ids()) {
    const auto [entry, is_new] =
        index.try_emplace(id, static_cast<std::uint32_t>(table.series_names.size()));
    if (is_new) table.series_names.push_back(id);
    table.series.push_back(entry->second);
  }
}

void take_stamps(const Frame& frame, const DataSettings& settings, Table& table) {
  const Frame::Stamps& stamps = frame.stamps();
  if (stamps.texts != nullptr) {
    PackedStamps written;
    for (std::size_t row = 0; row < stamps.count; ++row) {
      written.push_back(read_stamp(stamps.texts[row]));
    }
    place_rows_in_time(std::move(written), settings, table);
    return;
  }
  if (stamps.milliseconds == nullptr) {
    table.stamps = even_stamps(table.lines.size(), settings, table.source);
    return;
  }
  for (std::size_t row = 0; row < stamps.count; ++row) {
    const Instant stamp{stamps.milliseconds[row]};
    if (stamp < kEarliestInstant || stamp > kLatestInstant) {
      throw_error(ErrorKind::kData, frame.source(),
                  "the stamp of row {} is {} ms since 1970, outside the years 1 to 9999", row + 1,
                  stamp.milliseconds);
    }
    table.stamps.push_back(stamp);
  }
}

void take_values(const Frame& frame, const ColumnPlan& plan, Table& table) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < plan.uses.size(); ++i) {
    if (plan.uses[i] != ColumnPlan::Use::kValue) continue;
    const Frame::Column& from = frame.columns()[i];
    ColumnValues& values = table.columns[at].values;
    values.resize(from.count);
    for (std::size_t row = 0; row < from.count; ++row) {
      values[row] = from.at(row);
      if (!std::isinf(values[row])) continue;
      table.faults.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(at),
                              CellFault::Kind::kInfinite, fmt::format("{}", values[row])});
      values[row] = kMissing;
    }
    ++at;
  }
  std::ranges::sort(table.faults, [](const CellFault& a, const CellFault& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
}

// Numbers, as a file would have them.
void take_statics(const Frame& frame, const DataSettings& settings, Table& table) {
  for (const std::string& name : settings.static_columns) {
    const auto column = std::ranges::find(frame.columns(), name, &Frame::Column::name);
    StaticColumn own{name, std::vector<std::string>(table.series_names.size())};
    for (std::size_t row = 0; row < column->count; ++row) {
      if (std::isnan(column->at(row))) continue;
      const std::string text = fmt::format("{}", column->at(row));
      std::string& value = own.values[table.series[row]];
      if (value.empty()) value = text;
      if (value == text) continue;
      throw_error(ErrorKind::kData, Place(frame.source()).in_column(name),
                  "{} in row {} and {} before, of '{}': what is static is the same in all rows of "
                  "a series",
                  text, row + 1, value, table.series_names[table.series[row]]);
    }
    table.statics.push_back(std::move(own));
  }
}

}  // namespace

Table read_frame(const Frame& frame, const DataSettings& settings) {
  Table table;
  table.source = frame.source();
  const std::size_t rows = rows_of(frame);
  for (std::size_t row = 0; row < rows; ++row) table.lines.push_back(row + 1);
  table.zone = settings.time_zone ? Zone::named(*settings.time_zone) : Zone();
  const bool is_long = !frame.ids().empty();
  if (settings.layout == Layout::kLong && !is_long) {
    throw_error(ErrorKind::kUsage, frame.source(),
                "the long layout needs ids: the series that each row is of");
  }
  std::vector<std::string> names;
  for (const Frame::Column& column : frame.columns()) names.push_back(column.name);
  ColumnPlan plan = plan_value_columns(names, is_long, settings, table.source);
  table.columns = plan.columns;
  table.notes = std::move(plan.notes);
  take_values(frame, plan, table);
  if (is_long) {
    take_ids(frame, table);
    table.value_column = settings.value_column;
    take_statics(frame, settings, table);
  }
  take_stamps(frame, settings, table);
  if (table.rows() == 0) {
    throw_error(ErrorKind::kData, frame.source(),
                "no row has a stamp that can be read; the first: {}",
                table.row_faults.front().cause);
  }
  return table;
}

}  // namespace pulsecast
