#include "pulsecast/data/readers/columns_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/civil.h"
#include "pulsecast/data/readers/column_plan.h"
#include "pulsecast/data/readers/even_stamps.h"
#include "pulsecast/data/readers/fault_flood.h"
#include "pulsecast/data/readers/number_cell.h"
#include "pulsecast/data/readers/row_stamps.h"
#include "pulsecast/data/readers/settle_labels.h"

namespace pulsecast {
namespace {

using ColumnKind = TypedColumn::Kind;
using Use = ColumnPlan::Use;

Error cannot_be_read(const TypedColumn& column, const std::string& source, const char* wanted) {
  return make_error(ErrorKind::kData, Place(source).in_column(column.name()),
                    "column '{}' is of type {}, where {} expected", column.name(), column.type(),
                    wanted)
      .with(remedy::set("ignore", column.name(), "leaves it out"));
}

std::size_t rows_in(const TypedColumns& columns, const std::string& source) {
  if (columns.empty()) throw_error(ErrorKind::kData, source, "there is no column");
  const std::size_t rows = columns.front()->rows();
  for (const auto& column : columns) {
    if (column->rows() == rows) continue;
    throw_error(ErrorKind::kUsage, source, "column '{}' has {}, and column '{}' {}", column->name(),
                counted(column->rows(), "value"), columns.front()->name(), rows);
  }
  if (rows == 0) throw_error(ErrorKind::kData, source, "there are no rows");
  if (rows > std::numeric_limits<std::uint32_t>::max()) {
    throw_error(ErrorKind::kData, source, "holds more than {} rows, which is the most",
                std::numeric_limits<std::uint32_t>::max());
  }
  return rows;
}

Header header_of(const TypedColumns& columns, const std::string& source) {
  Header header{.is_present = true, .names = {}, .notes = {}};
  std::set<std::string> taken;
  for (const auto& column : columns) {
    bool was_latin1 = false;
    std::string name = to_utf8(column->name(), was_latin1);
    if (name.empty()) name = fmt::format("column {}", header.names.size() + 1);
    if (!taken.insert(name).second) {
      throw_error(ErrorKind::kUsage, source, "two columns are called '{}'", name);
    }
    header.names.push_back(std::move(name));
  }
  return header;
}

// The head of the rows as text, for whoever looks for stamps and words. Fewer rows of many columns:
// types say most of it.
Sample sample_of(const TypedColumns& columns, std::size_t rows) {
  constexpr std::size_t kCells = 20'000;
  constexpr std::size_t kFewest = 8;
  constexpr std::size_t kMost = 100;
  rows = std::min(rows, std::clamp(kCells / columns.size(), kFewest, kMost));
  Sample sample(rows + 1);
  for (const auto& column : columns) {
    sample.front().push_back(column->name());
    for (std::size_t row = 0; row < rows; ++row) sample[row + 1].push_back(column->cell(row));
  }
  return sample;
}

// What a wall clock showed, as a file would write it.
Stamp written_stamp(std::int64_t milliseconds) {
  Stamp stamp;
  if (milliseconds == TypedColumn::kNoStamp) return stamp;
  const Instant shown{milliseconds};
  if (shown < kEarliestInstant || shown > kLatestInstant) {
    stamp.form = Stamp::Form::kUnreadable;
    return stamp;
  }
  const WallTime wall = Zone().to_wall(shown);
  stamp.form = Stamp::Form::kYearFirst;
  stamp.year = wall.year;
  stamp.first = static_cast<std::uint8_t>(wall.month);
  stamp.second = static_cast<std::uint8_t>(wall.day);
  stamp.thousandths = (milliseconds % kDayMilliseconds + kDayMilliseconds) % kDayMilliseconds;
  return stamp;
}

// The same where it is an instant, or only compared with others.
Stamp counted_stamp(std::int64_t milliseconds) {
  Stamp stamp;
  if (milliseconds == TypedColumn::kNoStamp) return stamp;
  stamp.form = Stamp::Form::kNumber;
  stamp.thousandths = milliseconds;
  return stamp;
}

class ColumnsReader {
 public:
  ColumnsReader(const TypedColumns& columns, const std::string& source,
                const DataSettings& settings, const Watch& watch)
      : columns_(columns), settings_(settings), watch_(watch), rows_(rows_in(columns, source)) {
    table_.source = source;
    plan_ = plan_columns(header_of(columns, source), sample_of(columns, rows_), settings, source);
  }

  Table read() && {
    for (std::size_t row = 0; row < rows_; ++row) table_.lines.push_back(row + 1);
    table_.zone = settings_.time_zone ? Zone::named(*settings_.time_zone) : Zone();
    table_.columns = plan_.columns;
    table_.notes.push_back("columns in memory");
    table_.notes.insert(table_.notes.end(), plan_.notes.begin(), plan_.notes.end());
    take_values();
    const TypedColumn* time = typed_time();
    const bool is_layout_open = !plan_.is_long && settings_.layout == Layout::kFound;
    const bool is_placed = time != nullptr && (time->zone() || table_.zone.is_utc());
    PackedStamps stamps;
    if (plan_.has_time && (!is_placed || is_layout_open)) {
      stamps = time == nullptr ? stamps_in_text() : stamps_of(*time, is_placed);
    }
    const char decimal = settings_.decimal == Decimal::kComma ? ',' : '.';
    settle_labels(take_labels(), stamps, plan_, settings_, decimal, table_);
    if (!plan_.has_time) {
      table_.stamps = even_stamps(rows_, settings_, table_.source);
    } else if (is_placed) {
      take_instants(*time);
    } else {
      place_rows_in_time(std::move(stamps), settings_, table_);
    }
    refuse_fault_flood(table_);
    note_cut();
    if (table_.rows() == 0) {
      throw_error(ErrorKind::kData, table_.source,
                  "no row has a stamp that can be read; the first: {}",
                  table_.row_faults.front().cause);
    }
    return std::move(table_);
  }

 private:
  // body(column) for those of a use, in their order.
  template <typename Body>
  void for_each(Use use, Body body) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (plan_.uses[i] != use) continue;
      watch_.check("reading");
      body(*columns_[i]);
    }
  }

  // Many columns side by side share one region (column_values.h).
  void take_values() {
    const std::size_t padded = (rows_ + 7) / 8 * 8;
    const auto region =
        std::make_shared<ColumnRegion>(padded * table_.columns.size() * sizeof(double));
    std::uint32_t at = 0;
    for_each(Use::kValue, [&](const TypedColumn& column) {
      ColumnValues values{ColumnAllocator<double>(region)};
      values.reserve(padded);
      values.resize(rows_);
      if (column.kind() == ColumnKind::kNumbers) {
        column.numbers(0, values);
        note_infinities(values, at);
      } else if (column.kind() == ColumnKind::kText) {
        read_words(column, values, at);
      } else {
        throw cannot_be_read(column, table_.source, "numbers are");
      }
      table_.columns[at++].values = std::move(values);
    });
    std::ranges::sort(table_.faults, [](const CellFault& a, const CellFault& b) {
      return std::pair(a.row, a.column) < std::pair(b.row, b.column);
    });
  }

  void note_infinities(ColumnValues& values, std::uint32_t column) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (!std::isinf(values[row])) continue;
      table_.faults.push_back({static_cast<std::uint32_t>(row), column, CellFault::Kind::kInfinite,
                               fmt::format("{}", values[row])});
      values[row] = kMissing;
      refuse_fault_flood(table_);
    }
  }

  // Numbers that are written as text.
  void read_words(const TypedColumn& column, ColumnValues& values, std::uint32_t at) {
    const Labels labels = column.labels();
    std::vector<NumberCell> numbers;
    for (const std::string& name : labels.names()) {
      numbers.push_back(read_number(name, settings_.decimal == Decimal::kComma ? ',' : '.'));
    }
    for (std::size_t row = 0; row < values.size(); ++row) {
      const NumberCell& number = numbers[labels.codes()[row]];
      values[row] = number.value;
      if (number.kind != NumberCell::Kind::kUnreadable &&
          number.kind != NumberCell::Kind::kInfinite) {
        continue;
      }
      constexpr std::size_t kMost = 32;
      bool was_latin1 = false;
      table_.faults.push_back(
          {static_cast<std::uint32_t>(row), at,
           number.kind == NumberCell::Kind::kInfinite ? CellFault::Kind::kInfinite
                                                      : CellFault::Kind::kUnreadable,
           to_utf8(std::string_view(labels.names()[labels.codes()[row]]).substr(0, kMost),
                   was_latin1)});
      refuse_fault_flood(table_);
    }
  }

  std::vector<LabelColumn> take_labels() const {
    std::vector<LabelColumn> labels;
    for_each(Use::kLabel, [&](const TypedColumn& column) {
      if (column.kind() == ColumnKind::kOther) {
        throw cannot_be_read(column, table_.source, "text is");
      }
      labels.push_back({column.name(), column.labels()});
    });
    return labels;
  }

  // The column of stamps, where its type says that it holds some.
  const TypedColumn* typed_time() const {
    const TypedColumn* time = nullptr;
    for_each(Use::kTime, [&](const TypedColumn& column) {
      if (column.kind() == ColumnKind::kOther)
        throw cannot_be_read(column, table_.source, "stamps are");
      if (column.kind() == ColumnKind::kStamps) time = &column;
    });
    return time;
  }

  // body(row, milliseconds) for every row.
  template <typename Body>
  void for_each_stamp(const TypedColumn& time, Body body) {
    cut_ = 0;
    std::array<std::int64_t, 1024> run;
    for (std::size_t first = 0; first < rows_; first += run.size()) {
      const std::span part(run.data(), std::min(run.size(), rows_ - first));
      cut_ += time.stamps(first, part);
      for (std::size_t i = 0; i < part.size(); ++i) body(first + i, part[i]);
    }
  }

  PackedStamps stamps_of(const TypedColumn& time, bool is_placed) {
    PackedStamps stamps;
    for_each_stamp(time, [&](std::size_t, std::int64_t milliseconds) {
      stamps.push_back(is_placed ? counted_stamp(milliseconds) : written_stamp(milliseconds));
    });
    return stamps;
  }

  // Stamps that are text, numbers, or parts in several columns.
  PackedStamps stamps_in_text() const {
    PackedStamps stamps;
    for_each(Use::kTime, [&](const TypedColumn& column) {
      const Labels labels = column.labels();
      std::vector<Stamp> read;
      for (const std::string& name : labels.names()) read.push_back(read_stamp(name));
      for (const std::uint32_t code : labels.codes()) stamps.push_back(read[code]);
    });
    if (plan_.time_parts.empty()) return stamps;
    std::vector<std::string> cells(plan_.time_parts.size());
    std::string text;
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = columns_[plan_.time_parts[i].column]->cell(row);
      }
      join_time_parts(plan_.time_parts, cells, text);
      stamps.push_back(read_stamp(text));
    }
    return stamps;
  }

  // Stamps that need no clock to be placed by.
  void take_instants(const TypedColumn& time) {
    const std::optional<Zone> own = time.zone();
    if (own && !settings_.time_zone) {
      table_.zone = *own;
      if (!own->is_utc()) table_.found.time_zone = own->name();
    }
    table_.shows_wall_clock = !own && !settings_.time_zone;
    table_.notes.push_back(time.type());
    std::vector<bool> is_removed(rows_);
    for_each_stamp(time, [&](std::size_t row, std::int64_t milliseconds) {
      const Instant stamp{milliseconds};
      const bool is_there = milliseconds != TypedColumn::kNoStamp;
      is_removed[row] = stamp < kEarliestInstant || stamp > kLatestInstant;
      table_.stamps.push_back(is_removed[row] ? Instant{} : stamp);
      if (!is_removed[row]) return;
      table_.row_faults.push_back(
          {row + 1, is_there ? RowFault::Kind::kStampUnreadable : RowFault::Kind::kStampEmpty,
           is_there ? fmt::format("{} ms since 1970 lies outside the years 1 to 9999", milliseconds)
                    : "the stamp is empty"});
      refuse_fault_flood(table_);
    });
    if (!table_.row_faults.empty()) remove_rows(table_, is_removed);
  }

  void note_cut() {
    if (cut_ == 0) return;
    table_.notes.push_back(counted(cut_, "stamp has", "stamps have") +
                           " digits finer than a millisecond, which are cut");
  }

  const TypedColumns& columns_;
  const DataSettings& settings_;
  const Watch& watch_;
  std::size_t rows_;
  Table table_;
  ColumnPlan plan_;
  std::size_t cut_ = 0;  // stamps with digits finer than a millisecond
};

}  // namespace

Table read_columns(const TypedColumns& columns, const std::string& source,
                   const DataSettings& settings, const Watch& watch) {
  return ColumnsReader(columns, source, settings, watch).read();
}

}  // namespace pulsecast
