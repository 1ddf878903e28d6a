#include "pulsecast/data/repair/mend_outliers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/data/oddities/odd_values.h"

namespace pulsecast {
namespace {

// "'load': 3 values of -999 taken for gaps, 1 value clipped to 96.5"; empty where nothing is odd.
std::string mend_channel(const std::string& name, Column& column, const SeriesRows& series,
                         Outliers outliers) {
  std::vector<double> values;
  values.reserve(series.rows.size());
  for (const std::uint32_t row : series.rows) values.push_back(column.values[row]);
  const OddValues odd = find_odd_values(values);
  if (odd.runs.empty()) return "";
  std::map<double, std::size_t> codes, clipped;
  std::size_t far = 0;
  std::size_t stuck = 0;
  for (const OddRun& run : odd.runs) {
    const bool is_clipped = run.kind == OddRun::Kind::kFar && outliers == Outliers::kClip;
    for (std::size_t i = run.begin; i < run.end; ++i) {
      double& value = column.values[series.rows[i]];
      if (std::isnan(value)) continue;
      value = is_clipped ? std::clamp(value, odd.low, odd.high) : kMissing;
      if (is_clipped) ++clipped[value];
    }
    if (run.kind == OddRun::Kind::kCode) codes[run.value] += run.count;
    if (run.kind == OddRun::Kind::kFar && !is_clipped) far += run.count;
    if (run.kind == OddRun::Kind::kStuck) stuck += run.count;
  }
  std::vector<std::string> done;
  for (const auto& [code, count] : codes) {
    done.push_back(fmt::format("{} of {} taken for gaps", counted(count, "value"), code));
  }
  if (far > 0)
    done.push_back(counted(far, "value far beyond all others taken for a gap",
                           "values far beyond all others taken for gaps"));
  if (stuck > 0) done.push_back(counted(stuck, "stuck value") + " taken for gaps");
  for (const auto& [limit, count] : clipped) {
    done.push_back(fmt::format("{} clipped to {}", counted(count, "value"), limit));
  }
  return fmt::format("'{}': {}", name, fmt::join(done, ", "));
}

}  // namespace

void mend_outliers(Table& table, const std::vector<SeriesRows>& all, Outliers outliers,
                   std::vector<std::string>& repairs) {
  if (outliers == Outliers::kKeep) return;
  constexpr std::size_t kMostLines = 10;
  std::size_t channels = 0;
  for (const SeriesRows& series : all) {
    for (Column& column : table.columns) {
      std::string name = series.name.empty() ? column.name
                         : table.columns.size() == 1
                             ? series.name
                             : fmt::format("{}/{}", series.name, column.name);
      std::string done = mend_channel(name, column, series, outliers);
      if (done.empty()) continue;
      if (++channels <= kMostLines) repairs.push_back(std::move(done));
    }
  }
  if (channels > kMostLines) {
    repairs.push_back(fmt::format("odd values of {} mended too",
                                  counted(channels - kMostLines, "further channel")));
  }
  if (channels == 0) repairs.emplace_back("no value looks like an outlier");
}

}  // namespace pulsecast
