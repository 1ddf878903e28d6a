#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/doctor/checks.h"
#include "pulsecast/data/oddities/odd_values.h"

namespace pulsecast {
namespace {

class ValueCheck {
 public:
  ValueCheck(const Table& table, const SeriesRows& series, const Column& column,
             std::vector<Finding>& findings)
      : table_(table), series_(series), column_(column), findings_(findings) {
    values_.reserve(series.rows.size());
    for (const std::uint32_t row : series.rows) values_.push_back(column.values[row]);
  }

  void run() {
    const OddValues odd = find_odd_values(values_);
    std::map<double, Finding> codes;  // a code comes again and again: one finding
    for (const OddRun& run : odd.runs) {
      switch (run.kind) {
        case OddRun::Kind::kCode:
          add_code(codes, run);
          break;
        case OddRun::Kind::kFar:
          add(Finding::Kind::kOutlier, run.begin, run.end, run.count,
              fmt::format("{} lies far beyond all other values, which are {} to {}", run.value,
                          odd.low, odd.high));
          break;
        case OddRun::Kind::kStuck:
          // To the end of the rows it is a channel that died.
          if (run.end == values_.size()) break;
          add(Finding::Kind::kStuckValue, run.begin, run.end, run.count,
              fmt::format("{} values in a row are {}, where it changes nearly every row", run.count,
                          run.value));
          break;
      }
    }
    for (auto& [code, finding] : codes) {
      finding.cause = fmt::format(
          "{} comes {}, while all other values are {} to {}: it seems to "
          "stand for no value",
          code, counted(finding.count, "time"), odd.low, odd.high);
      findings_.push_back(std::move(finding));
    }
    check_unit();
  }

 private:
  Finding finding(Finding::Kind kind, std::size_t begin, std::size_t end, std::size_t count,
                  std::string cause) const {
    return {kind,
            series_.name,
            column_.name,
            table_.lines[series_.rows[begin]],
            table_.lines[series_.rows[end - 1]],
            count,
            std::move(cause)};
  }

  void add(Finding::Kind kind, std::size_t begin, std::size_t end, std::size_t count,
           std::string cause) {
    findings_.push_back(finding(kind, begin, end, count, std::move(cause)));
  }

  void add_code(std::map<double, Finding>& codes, const OddRun& run) const {
    const Finding own = finding(Finding::Kind::kCodedValue, run.begin, run.end, run.count, "");
    const auto [entry, is_new] = codes.emplace(run.value, own);
    if (is_new) return;
    entry->second.last_line = own.last_line;
    entry->second.count += run.count;
  }

  void check_unit() {
    const std::optional<UnitChange> change = find_unit_change(values_);
    if (!change) return;
    const bool is_greater = change->factor > 1;
    const double times = is_greater ? change->factor : 1 / change->factor;
    Finding own =
        finding(Finding::Kind::kUnitChange, change->begin, change->end, change->end - change->begin,
                fmt::format("values are about {} times as {} as in the other rows, as if "
                            "they were in another unit",
                            times, is_greater ? "large" : "small"));
    own.remedies.push_back(remedy::advice(fmt::format(
        "{} '{}' by {} in lines {} to {} if its unit changed there",
        is_greater ? "divide" : "multiply", own.column, times, own.first_line, own.last_line)));
    findings_.push_back(std::move(own));
  }

  const Table& table_;
  const SeriesRows& series_;
  const Column& column_;
  std::vector<double> values_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_values(const Table& table, const std::vector<SeriesRows>& all,
                  std::vector<Finding>& findings) {
  for (const SeriesRows& series : all) {
    for (const Column& column : table.columns) ValueCheck(table, series, column, findings).run();
  }
}

}  // namespace pulsecast
