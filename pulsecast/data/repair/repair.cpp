#include "pulsecast/data/repair/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/repair/aggregate.h"
#include "pulsecast/data/repair/fill_channels.h"
#include "pulsecast/data/repair/grid.h"
#include "pulsecast/data/repair/mend_outliers.h"
#include "pulsecast/data/repair/repair_remedies.h"
#include "pulsecast/data/series/series_rows.h"
#include "pulsecast/data/table/table_step.h"
#include "pulsecast/data/table/wall_clock.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

class Repairer {
 public:
  Repairer(Table table, const DataSettings& settings)
      : table_(std::move(table)), settings_(settings) {}

  Repaired repair() && {
    drop_columns();
    refuse_unread_layout();
    refuse_statics_of_wide();
    refuse_text();
    refuse_bad_rows();
    refuse_wall_clock();
    series_rows_ = rows_by_series(table_);
    take_statics();
    std::erase_if(series_rows_, [](const SeriesRows& series) { return series.rows.empty(); });
    result_.is_long = table_.is_long();
    result_.found = table_.found;
    result_.series.source = table_.source;
    result_.series.zone = table_.zone;
    result_.series.step = find_step();
    const Instant end = end_of_past(table_);
    const bool takes_rows = settings_.grid.value_or(usual::kGrid) == Grid::kRows;
    for (SeriesRows& series : series_rows_) {
      if (!takes_rows) sort(series);
    }
    mend_outliers(table_, series_rows_, settings_.outliers.value_or(Outliers::kKeep),
                  result_.repairs);
    takes_rows ? take_rows() : place_on_grid();
    fill_channels(result_.series, ranges_, end, settings_, result_.repairs);
    order_by_role();
    return std::move(result_);
  }

 private:
  Place at(std::uint32_t row) const { return Place(table_.source).at_line(table_.lines[row]); }
  void note(std::string text) { result_.repairs.push_back(std::move(text)); }

  void drop_columns() {
    for (const std::string& name : settings_.drop) {
      const std::size_t columns =
          std::erase_if(table_.columns, [&](const Column& own) { return own.name == name; }) +
          std::erase_if(table_.text_columns,
                        [&](const TextColumn& own) { return own.name == name; });
      const auto series = std::find(table_.series_names.begin(), table_.series_names.end(), name);
      if (series != table_.series_names.end()) {
        const auto index = static_cast<std::uint32_t>(series - table_.series_names.begin());
        std::vector<bool> is_removed(table_.rows());
        for (std::size_t row = 0; row < table_.rows(); ++row) {
          is_removed[row] = table_.series[row] == index;
        }
        remove_rows(table_, is_removed);
      } else if (columns == 0) {
        std::vector<std::string> names = table_.series_names;
        for (const Column& column : table_.columns) names.push_back(column.name);
        throw_error(ErrorKind::kUsage, Place(table_.source).about("drop"),
                    "there is no column or series '{}'.{}", name, did_you_mean(name, names));
      }
      note(fmt::format("'{}' dropped", name));
    }
    if (table_.rows() == 0 || (table_.columns.empty() && table_.text_columns.empty())) {
      throw_error(ErrorKind::kData, Place(table_.source).about("drop"), "leaves nothing over");
    }
  }

  // To mend the rows of many series as if they were one's would mix them.
  void refuse_unread_layout() const {
    if (!table_.likely_long) return;
    // Who says what becomes of repeats may mean it, unless the names of the series are still there.
    if (settings_.duplicates != Duplicates::kRefuse && table_.text_columns.empty()) return;
    throw make_error(
        ErrorKind::kData, table_.source,
        "stamps repeat, once for each value of '{}': the rows are those of many series",
        table_.likely_long->id)
        .with(layout_remedies(*table_.likely_long));
  }

  void refuse_statics_of_wide() const {
    if (settings_.static_columns.empty() || table_.is_long()) return;
    throw make_error(ErrorKind::kUsage, Place(table_.source).about("static"),
                     "a static column says one thing of each of many series, and this file has its "
                     "series side by side")
        .with(remedy::set("layout", "long", "takes a row for one series and stamp"))
        .with(remedy::advice("leave it out"));
  }

  // Of the series that have rows, which are numbered anew.
  void take_statics() {
    for (const StaticColumn& column : table_.statics) {
      StaticColumn& own = result_.series.statics.emplace_back(StaticColumn{column.name, {}});
      for (std::size_t s = 0; s < series_rows_.size(); ++s) {
        if (!series_rows_[s].rows.empty()) own.values.push_back(column.values[s]);
      }
    }
  }

  // Hours that a zone's clocks repeat or skip are neither duplicates nor gaps.
  void refuse_wall_clock() const {
    if (settings_.duplicates != Duplicates::kRefuse || settings_.fill != Fill::kRefuse ||
        settings_.resample || settings_.grid == Grid::kRows) {
      return;
    }
    const std::optional<WallClock> clock = find_wall_clock(table_);
    if (!clock) return;
    const bool repeats = !clock->repeated.empty();
    const Instant shown = repeats ? clock->repeated.front() : clock->skipped.front();
    throw make_error(ErrorKind::kData, table_.source,
                     "{} {}, as on the clocks of {}: the stamps are those of a zone that they do "
                     "not name",
                     to_text(shown, table_.zone), repeats ? "comes twice" : "is missing",
                     clock->zones.front())
        .with(zone_remedies(*clock));
  }

  void refuse_text() const {
    if (table_.text_columns.empty()) return;
    const TextColumn& first = table_.text_columns.front();
    std::vector<std::string> names;
    for (const TextColumn& column : table_.text_columns) names.push_back(column.name);
    throw make_error(
        ErrorKind::kData, Place(table_.source).at_line(first.first_line).in_column(first.name),
        "a column of text: {}, this one '{}'",
        counted(first.cells, "cell holds no number", "cells hold no number"), first.example)
        .with(remedy::set("ignore", fmt::format("{}", fmt::join(names, ",")),
                          names.size() == 1 ? "leaves it out" : "leaves out every such column"));
  }

  void refuse_bad_rows() {
    if (table_.row_faults.empty()) return;
    const RowFault& first = table_.row_faults.front();
    if (settings_.bad_rows == BadRows::kRefuse) {
      throw make_error(
          ErrorKind::kData, Place(table_.source).at_line(first.line), "{}. {}", first.cause,
          counted(table_.row_faults.size(), "line cannot become a row", "lines cannot become rows"))
          .with(remedy::set("bad-rows", "drop", "reads the rest"));
    }
    note(counted(table_.row_faults.size(), "line") + " left out");
  }

  Step find_step() const {
    if (settings_.resample) return Step::parse(*settings_.resample);
    if (settings_.step) return Step::parse(*settings_.step);
    const std::optional<Frequency> found = step_of(table_, series_rows_);
    if (!found) {
      throw make_error(ErrorKind::kData, table_.source, "no step can be found: {}",
                       counted(table_.rows(), "row has one stamp", "rows have the same stamp"))
          .with(remedy::example("step", "1h", "says it"));
    }
    return found->step;
  }

  // `grid rows`: as they come.
  void take_rows() {
    if (series_rows_.size() != 1) {
      throw make_error(ErrorKind::kUsage, Place(table_.source).about("grid"),
                       "rows as they come are those of one series, and there are {}",
                       series_rows_.size())
          .with(remedy::set("grid", "time", "places rows by their stamps"))
          .with(remedy::open("drop", "leaves series out"));
    }
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const ColumnValues values = std::move(table_.columns[c].values);
      add_channel(series_rows_[0], c, {values.begin(), values.end()}, {0, table_.rows()});
    }
    result_.series.stamps.assign(table_.stamps.begin(), table_.stamps.end());
    note("rows taken as they come");
  }

  // Rows of a series by stamp. A stable order keeps duplicates in the file's order.
  void sort(SeriesRows& series) {
    std::size_t late = 0;
    for (std::size_t i = 1; i < series.rows.size(); ++i) {
      if (table_.stamps[series.rows[i]] >= table_.stamps[series.rows[i - 1]]) continue;
      if (settings_.order == Order::kRefuse) {
        throw make_error(ErrorKind::kData, at(series.rows[i]),
                         "{} comes after {} in the row before",
                         to_text(table_.stamps[series.rows[i]], table_.zone),
                         to_text(table_.stamps[series.rows[i - 1]], table_.zone))
            .with(remedy::set("order", "sort", "sorts the rows"));
      }
      ++late;
    }
    if (late == 0) return;
    std::stable_sort(series.rows.begin(), series.rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return table_.stamps[a] < table_.stamps[b];
    });
    note(fmt::format("{}{}",
                     counted(late, "row sorted into its place", "rows sorted into their place"),
                     series.name.empty() ? "" : fmt::format(" in '{}'", series.name)));
  }

  void refuse_duplicates(const SeriesRows& series) {
    std::size_t repeated = 0;
    for (std::size_t i = 1; i < series.rows.size(); ++i) {
      if (table_.stamps[series.rows[i]] != table_.stamps[series.rows[i - 1]]) continue;
      if (settings_.duplicates == Duplicates::kRefuse) {
        throw make_error(ErrorKind::kData, at(series.rows[i]), "{} was in line {} already",
                         to_text(table_.stamps[series.rows[i]], table_.zone),
                         table_.lines[series.rows[i - 1]])
            .with(duplicate_remedies());
      }
      ++repeated;
    }
    if (repeated > 0) {
      note(fmt::format("{}: {} kept", counted(repeated, "repeated stamp"),
                       settings_.duplicates == Duplicates::kFirst ? "the first row" : "the mean"));
    }
  }

  TimeGrid make_grid() const {
    Instant first = kLatestInstant;
    for (const SeriesRows& series : series_rows_) {
      first = std::min(first, table_.stamps[series.rows.front()]);
    }
    const Step& step = result_.series.step;
    if (settings_.resample) first = round_anchor(first, step, table_.zone);
    return TimeGrid(first, step, table_.zone);
  }

  std::int64_t slot_of(const TimeGrid& grid, std::uint32_t row) const {
    if (settings_.resample) return grid.slot_around(table_.stamps[row]);
    const std::optional<std::int64_t> slot = grid.slot_at(table_.stamps[row]);
    if (!slot) {
      const std::string step = result_.series.step.to_string();
      throw make_error(
          ErrorKind::kData, at(row), "{} lies between two steps of {}, counted from {}",
          to_text(table_.stamps[row], table_.zone), step, to_text(grid.stamp_of(0), table_.zone))
          .with(remedy::set("resample", resample_step(table_, series_rows_).to_string(),
                            "takes means over each step"))
          .with(remedy::set("grid", "rows", "takes rows as they come"))
          .with(remedy::open("step", "sets another step"));
    }
    return *slot;
  }

  void place_on_grid() {
    std::vector<std::string> names;
    for (const Column& column : table_.columns) names.push_back(column.name);
    if (!settings_.resample && !settings_.resample_by.empty()) {
      throw make_error(ErrorKind::kUsage, Place(table_.source).about("resample-by"),
                       "says nothing without a step to resample to")
          .with(remedy::open("resample", "sets it"));
    }
    aggregates_ = aggregates_of(settings_.resample_by, names, table_.source);
    const TimeGrid grid = make_grid();
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const SeriesRows& series : series_rows_) {
      refuse_duplicates(series);
      first = std::min(first, slot_of(grid, series.rows.front()));
      last = std::max(last, slot_of(grid, series.rows.back()));
    }
    const std::int64_t length = last - first + 1;
    refuse_sparse(length);
    result_.series.stamps.resize(static_cast<std::size_t>(length));
    for (std::int64_t i = 0; i < length; ++i) {
      result_.series.stamps[static_cast<std::size_t>(i)] = grid.stamp_of(first + i);
    }
    result_.series.channels.reserve(series_rows_.size() * table_.columns.size());
    std::vector<std::int64_t> slots;  // of one series at a time
    for (SeriesRows& series : series_rows_) {
      slots.clear();
      for (const std::uint32_t row : series.rows) slots.push_back(slot_of(grid, row) - first);
      const RowSpan range = own_range(slots, length);
      for (std::size_t c = 0; c < table_.columns.size(); ++c) {
        add_channel(series, c, spread(series, slots, c, range), range);
        // A channel at a time lives twice, not the whole matrix.
        if (series_rows_.size() == 1) table_.columns[c].values = ColumnValues();
      }
      series.rows = {};
    }
    if (settings_.resample) {
      note(fmt::format("{} resampled to {} of {}", counted(table_.rows(), "row"),
                       counted(length, "step"), result_.series.step.to_string()));
    }
  }

  // Where a channel should have values: a long series from its first row to its last.
  RowSpan own_range(const std::vector<std::int64_t>& slots, std::int64_t length) const {
    if (!table_.is_long()) return {0, static_cast<std::size_t>(length)};
    return {static_cast<std::size_t>(slots.front()), static_cast<std::size_t>(slots.back()) + 1};
  }

  // One stamp with a mistyped year must not make a grid of millions of steps.
  void refuse_sparse(std::int64_t length) const {
    const auto rows = static_cast<std::int64_t>(table_.rows());
    if (length <= 10'000 + 50 * rows) return;
    throw make_error(ErrorKind::kData, table_.source,
                     "{} rows spread over {} steps of {}: a stamp is wrong, or the step is", rows,
                     length, result_.series.step.to_string())
        .with(remedy::open("step", "sets another step"))
        .with(remedy::open("resample", "sets another step"))
        .with(remedy::act(RemedyAction::kCheckRows, "to list the gaps"));
  }

  // The values of a column in the rows `range` of the grid; rows that share a slot give their mean
  // (resampled: what `resample-by` asks for), or the first.
  std::vector<double> spread(const SeriesRows& series, const std::vector<std::int64_t>& slots,
                             std::size_t column, RowSpan range) const {
    const ColumnValues& from = table_.columns[column].values;
    std::vector<double> values(range.end - range.begin, kMissing);
    Aggregator step(aggregates_[column]);
    const bool keeps_first = settings_.duplicates == Duplicates::kFirst;
    std::size_t i = 0;
    while (i < slots.size()) {
      const std::size_t start = i;
      for (; i < slots.size() && slots[i] == slots[start]; ++i) {
        const bool is_repeated =
            i > start && table_.stamps[series.rows[i]] == table_.stamps[series.rows[i - 1]];
        if (is_repeated && keeps_first) continue;
        const double value = from[series.rows[i]];
        if (std::isnan(value)) continue;
        step.add(value);
      }
      values[static_cast<std::size_t>(slots[start]) - range.begin] = step.take();
    }
    return values;
  }

  void add_channel(const SeriesRows& series, std::size_t column, std::vector<double> values,
                   RowSpan range) {
    const Column& own = table_.columns[column];
    std::string name = own.name;
    if (table_.is_long()) {
      name = table_.columns.size() == 1 || own.name == table_.value_column
                 ? series.name
                 : fmt::format("{}/{}", series.name, own.name);
    }
    const auto number = static_cast<std::uint32_t>(&series - series_rows_.data());
    result_.series.channels.push_back(
        {std::move(name), own.role, std::move(values), range.begin, number});
    ranges_.push_back(range);
  }

  void order_by_role() {
    std::stable_sort(result_.series.channels.begin(), result_.series.channels.end(),
                     [](const Channel& a, const Channel& b) { return a.role < b.role; });
  }

  Table table_;
  const DataSettings& settings_;
  std::vector<SeriesRows> series_rows_;
  std::vector<Aggregate> aggregates_;  // one per column
  std::vector<RowSpan> ranges_;  // one per channel: the rows between which it should have values
  Repaired result_;
};

}  // namespace

Repaired repair(Table table, const DataSettings& settings) {
  return Repairer(std::move(table), settings).repair();
}

}  // namespace pulsecast
