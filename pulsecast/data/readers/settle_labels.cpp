#include "pulsecast/data/readers/settle_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/long_layout.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast {
namespace {

std::string utf8(std::string_view text) {
  bool was_latin1 = false;
  return to_utf8(text, was_latin1);
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 32;
  return text.size() <= kMost ? utf8(text) : utf8(text.substr(0, kMost)) + "...";
}

void name_series(const Labels& labels, Table& table) {
  // Two names may be one in UTF-8.
  Labels names;
  std::vector<std::uint32_t> codes;
  for (const std::string& name : labels.names()) codes.push_back(names.code_of(utf8(name)));
  table.series_names = names.names();
  for (const std::uint32_t code : labels.codes()) table.series.push_back(codes[code]);
}

Labels together(const std::vector<LabelColumn>& labels, const std::vector<std::size_t>& which) {
  std::vector<const Labels*> parts;
  parts.reserve(which.size());
  for (const std::size_t i : which) parts.push_back(&labels[i].labels);
  return joined_labels(parts);
}

std::string listed(const std::vector<LabelColumn>& labels, const std::vector<std::size_t>& which) {
  std::vector<std::string> names;
  names.reserve(which.size());
  for (const std::size_t i : which) names.push_back(labels[i].name);
  return fmt::format("{}", fmt::join(names, ","));
}

// What one column says of each series of a long table. Cells may be empty as long as another row of
// the series says it.
StaticColumn static_of_series(const LabelColumn& column, const Table& table) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const Labels& labels = column.labels;
  std::vector<std::uint32_t> codes(table.series_names.size(), kNone);
  for (std::size_t row = 0; row < table.lines.size(); ++row) {
    const std::uint32_t code = labels.codes()[row];
    const std::uint32_t own = table.series[row];
    if (labels.names()[code].empty() || codes[own] == code) continue;
    if (codes[own] == kNone) {
      codes[own] = code;
      continue;
    }
    throw make_error(
        ErrorKind::kData, Place(table.source).at_line(table.lines[row]).in_column(column.name),
        "'{}' here and '{}' before, in rows of '{}': what is static is the same in all rows of a "
        "series",
        shortened(labels.names()[code]), shortened(labels.names()[codes[own]]),
        table.series_names[own])
        .with(remedy::open("id-column", "names the column that tells series apart"))
        .with(remedy::advice("leave the column out of those that are static"));
  }
  StaticColumn out{column.name, {}};
  for (const std::uint32_t code : codes) {
    out.values.push_back(code == kNone ? "" : utf8(labels.names()[code]));
  }
  return out;
}

// Of a wide table, which may be one series of a folder: all that it says.
StaticColumn static_of_file(const LabelColumn& column) {
  StaticColumn out{column.name, {}};
  for (const std::string& name : column.labels.names()) {
    if (!name.empty()) out.values.push_back(utf8(name));
  }
  return out;
}

void settle_statics(const std::vector<LabelColumn>& labels, Table& table) {
  for (const LabelColumn& column : labels) {
    if (!column.is_static) continue;
    table.statics.push_back(table.is_long() ? static_of_series(column, table)
                                            : static_of_file(column));
  }
}

void remove_columns(Table& table, const std::vector<bool>& is_removed) {
  std::vector<std::uint32_t> place(table.columns.size());
  std::uint32_t kept = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    place[c] = kept;
    if (is_removed[c]) continue;
    if (kept != c) table.columns[kept] = std::move(table.columns[c]);
    ++kept;
  }
  table.columns.resize(kept);
  std::erase_if(table.faults, [&](const CellFault& fault) { return is_removed[fault.column]; });
  for (CellFault& fault : table.faults) fault.column = place[fault.column];
}

// Nothing was said of the layout and the rows are those of many series.
void read_as_long(const LongLayout& layout, const std::vector<LabelColumn>& labels, Table& table) {
  name_series(together(labels, layout.labels), table);
  table.value_column = layout.values.front();
  table.found.id_column = listed(labels, layout.labels);
  table.found.value_column = table.value_column;
  table.notes.push_back(
      fmt::format("long layout, since stamps repeat once for each '{}': values from '{}'",
                  *table.found.id_column, table.value_column));
  std::vector<std::string> left_out;
  std::vector<bool> is_removed(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    is_removed[c] = column.role == Role::kTarget && column.name != table.value_column;
    if (is_removed[c]) left_out.push_back(column.name);
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::ranges::count(layout.labels, i) == 0 && !labels[i].is_static) {
      left_out.push_back(labels[i].name);
    }
  }
  remove_columns(table, is_removed);
  if (!left_out.empty()) {
    table.notes.push_back(
        fmt::format("columns beside the values are left out: {}", fmt::join(left_out, ", ")));
  }
}

// A column whose head was text and whose rows are mostly numbers.
void take_as_numbers(const LabelColumn& column, const std::vector<NumberCell>& numbers,
                     Table& table) {
  const auto place = static_cast<std::uint32_t>(table.columns.size());
  Column& own = table.columns.emplace_back(Column{column.name, Role::kTarget, {}});
  const Labels& labels = column.labels;
  for (std::size_t row = 0; row < labels.codes().size(); ++row) {
    const NumberCell& number = numbers[labels.codes()[row]];
    own.values.push_back(number.value);
    if (number.kind != NumberCell::Kind::kUnreadable && number.kind != NumberCell::Kind::kInfinite)
      continue;
    table.faults.push_back({static_cast<std::uint32_t>(row), place,
                            number.kind == NumberCell::Kind::kInfinite
                                ? CellFault::Kind::kInfinite
                                : CellFault::Kind::kUnreadable,
                            shortened(labels.names()[labels.codes()[row]])});
  }
  std::ranges::stable_sort(table.faults, {}, &CellFault::row);
}

void settle_text(const LabelColumn& column, char decimal, Table& table) {
  const Labels& labels = column.labels;
  std::vector<NumberCell> numbers;
  for (const std::string& name : labels.names()) numbers.push_back(read_number(name, decimal));
  std::size_t words = 0;
  std::size_t values = 0;
  std::size_t first = labels.codes().size();
  for (std::size_t row = 0; row < labels.codes().size(); ++row) {
    const NumberCell::Kind kind = numbers[labels.codes()[row]].kind;
    values += kind == NumberCell::Kind::kNumber ? 1 : 0;
    if (kind != NumberCell::Kind::kUnreadable) continue;
    first = std::min(first, row);
    ++words;
  }
  if (values >= words) {
    take_as_numbers(column, numbers, table);
  } else {
    table.text_columns.push_back(
        {column.name, words, shortened(labels.names()[labels.codes()[first]]), table.lines[first]});
  }
}

// Columns taken for numbers that hold text in most of their cells.
void find_text_among_values(Table& table) {
  if (table.faults.empty()) return;
  std::vector<std::size_t> unreadable(table.columns.size());
  std::vector<const CellFault*> first(table.columns.size());
  for (const CellFault& fault : table.faults) {
    if (fault.kind != CellFault::Kind::kUnreadable) continue;
    if (unreadable[fault.column]++ == 0) first[fault.column] = &fault;
  }
  std::vector<bool> is_text(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (unreadable[c] == 0) continue;
    const auto numbers = std::ranges::count_if(table.columns[c].values,
                                               [](double value) { return !std::isnan(value); });
    is_text[c] = unreadable[c] > static_cast<std::size_t>(numbers);
    if (!is_text[c]) continue;
    table.text_columns.push_back(
        {table.columns[c].name, unreadable[c], first[c]->text, table.lines[first[c]->row]});
  }
  if (std::ranges::count(is_text, true) > 0) remove_columns(table, is_text);
}

}  // namespace

void settle_labels(std::vector<LabelColumn> labels, const PackedStamps& stamps,
                   const ColumnPlan& plan, const DataSettings& settings, char decimal,
                   Table& table) {
  table.found.time_column = plan.found_time;
  table.found.unread = plan.unread;
  for (const std::size_t i : plan.statics) labels[i].is_static = true;
  if (plan.is_long) {
    name_series(together(labels, plan.ids), table);
    table.value_column = settings.value_column;
    settle_statics(labels, table);
    return;
  }
  if (plan.has_time && settings.layout == Layout::kFound) {
    if (const std::optional<LongLayout> layout = find_long_layout(stamps, labels, table)) {
      if (layout->is_certain) {
        read_as_long(*layout, labels, table);
        settle_statics(labels, table);
        return;
      }
      std::string id = listed(labels, layout->labels);
      for (const std::string& name : layout->numbers) id += (id.empty() ? "" : ",") + name;
      table.likely_long = {std::move(id), layout->values};
    }
  }
  find_text_among_values(table);
  for (const LabelColumn& column : labels) {
    if (!column.is_static) settle_text(column, decimal, table);
  }
  settle_statics(labels, table);
}

}  // namespace pulsecast
