#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/checks.h"
#include "pulsecast/data/windows/window_steps.h"

namespace pulsecast {
namespace {

// A channel is dead when nothing new came over this share of its rows, and at least so many.
constexpr double kDeadShare = 0.1;
constexpr std::size_t kDeadRows = 48;

// The values of one column over the rows of one series, in the file's order.
class ChannelCheck {
 public:
  ChannelCheck(const Table& table, const SeriesRows& series, std::size_t column, Instant end,
               std::vector<Finding>& findings)
      : table_(table), series_(series), own_(table.columns[column]), findings_(findings) {
    for (const std::uint32_t row : series.rows) {
      if (own_.role == Role::kKnown || table.stamps[row] <= end) rows_.push_back(row);
    }
  }

  void run() {
    if (rows_.empty()) return;
    const auto has_value = [&](std::uint32_t row) { return !std::isnan(own_.values[row]); };
    const auto first = std::find_if(rows_.begin(), rows_.end(), has_value);
    if (first == rows_.end()) {
      add(Finding::Kind::kDeadChannel, 0, rows_.size(), "there is no value in any row");
      return;
    }
    const auto last = std::find_if(rows_.rbegin(), rows_.rend(), has_value);
    const std::size_t after_last = static_cast<std::size_t>(rows_.rend() - last);
    const std::size_t same = trailing_run(after_last);
    if (same == count_values(after_last)) {
      // One value alone neither changes nor stays.
      if (same > 1) {
        add(Finding::Kind::kConstantColumn, 0, rows_.size(),
            fmt::format("every value is {}", own_.values[*first]));
      }
      return;
    }
    check_intermittent();
    const std::size_t enough =
        std::max(kDeadRows, static_cast<std::size_t>(kDeadShare * double(rows_.size())));
    if (rows_.size() - after_last >= enough) {
      add(Finding::Kind::kDeadChannel, after_last, rows_.size(),
          fmt::format("the last value is at {}; the {} rows after it have none",
                      to_text(table_.stamps[rows_[after_last - 1]], table_.zone),
                      rows_.size() - after_last));
    } else if (same >= enough && same > 2 * longest_run(after_last, same)) {
      add(Finding::Kind::kDeadChannel, after_last - same, after_last,
          fmt::format("the last {} values are all {}", same, own_.values[rows_[after_last - 1]]));
    }
  }

 private:
  void add(Finding::Kind kind, std::size_t from, std::size_t to, std::string cause) {
    findings_.push_back({kind, series_.name, own_.name, table_.lines[rows_[from]],
                         table_.lines[rows_[to - 1]], to - from, std::move(cause)});
  }

  // Demand that comes now and then.
  void check_intermittent() {
    if (!table_.is_long() || own_.role != Role::kTarget) return;
    std::size_t zeros = 0;
    std::size_t values = 0;
    for (const std::uint32_t row : rows_) {
      const double value = own_.values[row];
      if (std::isnan(value)) continue;
      if (value < 0) return;
      ++values;
      zeros += value == 0 ? 1 : 0;
    }
    if (2 * zeros <= values) return;
    add(Finding::Kind::kIntermittent, 0, rows_.size(),
        fmt::format("{} of {} values are zero", zeros, values));
  }

  std::size_t count_values(std::size_t end) const {
    return static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(end),
                      [&](std::uint32_t row) { return !std::isnan(own_.values[row]); }));
  }

  // Values before `end` that equal the last one without a break; missing ones do not count.
  std::size_t trailing_run(std::size_t end) const {
    const double last = own_.values[rows_[end - 1]];
    std::size_t run = 0;
    for (std::size_t i = end; i-- > 0;) {
      const double value = own_.values[rows_[i]];
      if (std::isnan(value)) continue;
      if (value != last) break;
      ++run;
    }
    return run;
  }

  // The longest run of equal values before the trailing one.
  std::size_t longest_run(std::size_t end, std::size_t trailing) const {
    std::size_t longest = 0;
    std::size_t run = 0;
    double before = std::nan("");
    for (std::size_t i = 0; i + trailing < end; ++i) {
      const double value = own_.values[rows_[i]];
      if (std::isnan(value)) continue;
      run = value == before ? run + 1 : 1;
      before = value;
      longest = std::max(longest, run);
    }
    return longest;
  }

  const Table& table_;
  const SeriesRows& series_;
  const Column& own_;
  std::vector<std::uint32_t> rows_;
  std::vector<Finding>& findings_;
};

void check_text(const Table& table, std::vector<Finding>& findings) {
  for (const TextColumn& column : table.text_columns) {
    findings.push_back(
        {Finding::Kind::kTextColumn, "", column.name, column.first_line, table.lines.back(),
         column.cells,
         fmt::format("{} text, such as '{}'", counted(column.cells, "cell holds", "cells hold"),
                     column.example)});
  }
}

}  // namespace

void check_columns(const Table& table, const std::vector<SeriesRows>& all,
                   std::vector<Finding>& findings) {
  check_text(table, findings);
  const Instant end = end_of_past(table);
  for (const SeriesRows& series : all) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      ChannelCheck(table, series, c, end, findings).run();
    }
  }
}

void check_length(const Table& table, const std::vector<SeriesRows>& all,
                  const std::optional<Step>& step, const DataSettings& settings,
                  std::vector<Finding>& findings) {
  // What is not told, training fits to the rows: whether they are enough is then for it to say.
  if (!settings.horizon) return;
  constexpr std::int64_t kLeastLookback = 2;
  const std::int64_t lookback = lookback_steps(settings, step).value_or(kLeastLookback);
  const std::int64_t horizon = horizon_steps(settings, step);
  const Instant end = end_of_past(table);
  for (const SeriesRows& series : all) {
    if (series.rows.empty()) continue;
    Instant first = kLatestInstant;
    Instant last = kEarliestInstant;
    std::int64_t rows = 0;
    for (const std::uint32_t row : series.rows) {
      if (table.stamps[row] > end) continue;
      first = std::min(first, table.stamps[row]);
      last = std::max(last, table.stamps[row]);
      ++rows;
    }
    const std::int64_t steps =
        step && first < last ? std::max(rows, step->between(first, last, table.zone) + 1) : rows;
    if (steps >= lookback + horizon) continue;
    findings.push_back(
        {Finding::Kind::kTooShort, series.name, "", table.lines[series.rows.front()],
         table.lines[series.rows.back()], static_cast<std::size_t>(steps),
         fmt::format("{}, but a look-back of {} and a horizon of {} need {}",
                     counted(steps, "step"), lookback, horizon, lookback + horizon)});
  }
}

}  // namespace pulsecast
