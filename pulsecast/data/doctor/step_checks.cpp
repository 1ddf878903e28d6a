#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/frequency.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/checks.h"
#include "pulsecast/data/table/table_step.h"

namespace pulsecast {
namespace {

// So many neighbours at the same other distance are another step, not an accident.
constexpr std::size_t kRunOfAnotherStep = 3;

// Rows in order of time, one a stamp.
std::vector<std::uint32_t> in_order_of_time(const Table& table, const SeriesRows& series) {
  std::vector<std::uint32_t> rows = series.rows;
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return table.stamps[a] < table.stamps[b];
  });
  rows.erase(std::unique(rows.begin(), rows.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                           return table.stamps[a] == table.stamps[b];
                         }),
             rows.end());
  return rows;
}

std::string duration(std::int64_t milliseconds) {
  return Step(Step::Unit::kMillisecond, milliseconds).to_string();
}

class StepCheck {
 public:
  StepCheck(const Table& table, const SeriesRows& series, const Step& step,
            std::vector<Finding>& findings)
      : table_(table),
        series_(series),
        step_(step),
        rows_(in_order_of_time(table, series)),
        findings_(findings) {}

  void run() {
    for (std::size_t i = 1; i < rows_.size();) {
      if (is_one_step(i)) {
        ++i;
        continue;
      }
      const std::size_t end = end_of_run(i);
      if (end - i >= kRunOfAnotherStep) {
        add_change(i, end);
        i = end;
      } else {
        add_single(i);
        ++i;
      }
    }
  }

 private:
  Instant stamp(std::size_t i) const { return table_.stamps[rows_[i]]; }
  std::uint64_t line(std::size_t i) const { return table_.lines[rows_[i]]; }
  std::int64_t distance(std::size_t i) const {
    return stamp(i).milliseconds - stamp(i - 1).milliseconds;
  }

  bool is_one_step(std::size_t i) const {
    if (step_.unit() == Step::Unit::kMillisecond) return distance(i) == step_.count();
    return step_.add(stamp(i - 1), 1, table_.zone) == stamp(i) || is_next_month_end(i);
  }

  // Month ends are 28 to 31 days apart; counted from the 28th of February the next is not the 31st.
  bool is_next_month_end(std::size_t i) const {
    if (step_.unit() != Step::Unit::kMonth) return false;
    const WallTime before = table_.zone.to_wall(stamp(i - 1));
    const WallTime now = table_.zone.to_wall(stamp(i));
    const std::int64_t months = (now.year - before.year) * 12 + now.month - before.month;
    const std::int64_t day = 86'400'000;
    const WallTime next_day = table_.zone.to_wall({stamp(i).milliseconds + day});
    return months == step_.count() && (now.day >= before.day || next_day.day == 1) &&
           before.day >= 28;
  }

  // Neighbours from i on that are all as far apart as those at i.
  std::size_t end_of_run(std::size_t i) const {
    std::size_t end = i + 1;
    while (end < rows_.size() && distance(end) == distance(i)) ++end;
    return end;
  }

  void add_change(std::size_t i, std::size_t end) {
    findings_.push_back(
        {Finding::Kind::kChangingStep, series_.name, "", line(i - 1), line(end - 1), end - i,
         fmt::format("{} rows from {} on are {} apart, while the step is {}", end - i,
                     to_text(stamp(i - 1), table_.zone), duration(distance(i)), step_.to_string()),
         static_cast<double>(distance(i)) > step_.mean_milliseconds() ? duration(distance(i))
                                                                      : step_.to_string()});
  }

  void add_single(std::size_t i) {
    const std::int64_t steps = step_.between(stamp(i - 1), stamp(i), table_.zone);
    const bool is_on_grid = steps > 0 && step_.add(stamp(i - 1), steps, table_.zone) == stamp(i);
    if (is_on_grid) {
      findings_.push_back(
          {Finding::Kind::kGap, series_.name, "", line(i - 1), line(i),
           static_cast<std::size_t>(steps - 1),
           fmt::format("{} of {} between {} and {} {} missing", counted(steps - 1, "step"),
                       step_.to_string(), to_text(stamp(i - 1), table_.zone),
                       to_text(stamp(i), table_.zone), steps == 2 ? "is" : "are")});
      return;
    }
    findings_.push_back(
        {Finding::Kind::kUnevenStep, series_.name, "", line(i), line(i), 1,
         fmt::format("{} lies {} after the row before it, which is no multiple of {}",
                     to_text(stamp(i), table_.zone), duration(distance(i)), step_.to_string()),
         step_.to_string()});
  }

  const Table& table_;
  const SeriesRows& series_;
  const Step& step_;
  std::vector<std::uint32_t> rows_;
  std::vector<Finding>& findings_;
};

}  // namespace

namespace {

// Rows of a series that keep no step: one finding, not one a row.
bool check_irregular(const Table& table, const SeriesRows& series, const Step& round,
                     std::vector<Finding>& findings) {
  const std::vector<std::uint32_t> rows = in_order_of_time(table, series);
  constexpr std::size_t kFewest = 8;
  if (rows.size() < kFewest) return false;
  std::vector<Instant> stamps;
  for (const std::uint32_t row : rows) stamps.push_back(table.stamps[row]);
  const std::optional<Frequency> own = infer_frequency(stamps, table.zone);
  if (!own || own->agreement() >= 0.5) return false;
  const std::int64_t first = stamps.front().milliseconds;
  const std::int64_t last = stamps.back().milliseconds;
  const auto steps = static_cast<double>(last - first) / round.mean_milliseconds() + 1;
  findings.push_back(
      {Finding::Kind::kUnevenStep, series.name, "", table.lines[rows.front()],
       table.lines[rows.back()], rows.size(),
       fmt::format(
           "the rows keep no step: {} of {} are {} apart, the most frequent distance. Steps "
           "of {} would have {:.1f} rows each",
           own->agreeing, own->intervals, own->step.to_string(), round.to_string(),
           static_cast<double>(rows.size()) / steps),
       round.to_string()});
  return true;
}

}  // namespace

void check_steps(const Table& table, const std::vector<SeriesRows>& all, const Step& step,
                 std::vector<Finding>& findings) {
  const Step round = resample_step(table, all);
  for (const SeriesRows& series : all) {
    if (check_irregular(table, series, round, findings)) continue;
    StepCheck(table, series, step, findings).run();
  }
}

}  // namespace pulsecast
