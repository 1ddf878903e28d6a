#include "pulsecast/paper/helps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "pulsecast/base/counted.h"
#include "pulsecast/paper/parts.h"
#include "pulsecast/paper/words.h"

namespace pulsecast::paper {
namespace {

struct Measure {
  const char* name;
  double Mismatch::*value;
};
constexpr std::array<Measure, 3> kMeasures = {{{"mean shift", &Mismatch::mean_shift},
                                               {"deviation shift", &Mismatch::deviation_shift},
                                               {"spectral mismatch", &Mismatch::spectral}}};

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t i = first; i <= last; ++i) {
      result[order[i]] = static_cast<double>(first + last) / 2.0;
    }
    first = last + 1;
  }
  return result;
}

const Gain* gain_of(const HelpsEvidence& evidence, const std::string& part, const CellName& cell) {
  const auto found = std::ranges::find_if(
      evidence.gains, [&](const Gain& gain) { return gain.part == part && gain.cell == cell; });
  return found == evidence.gains.end() ? nullptr : &*found;
}

Table gains_table(const HelpsEvidence& evidence) {
  Table table{.caption =
                  "Per cent by which the test MSE is higher without the part; above 0 it "
                  "helps. In brackets seeds, where there is more than one"};
  table.heading = {"dataset", "H", "mean shift", "deviation shift", "spectral mismatch"};
  for (const std::string& part : helping_parts()) table.heading.push_back(part);
  for (const CellName& cell : evidence.cells) {
    std::vector<TableCell> row = {{cell.first}, {std::to_string(cell.second)}};
    const auto mismatch = evidence.mismatches.find(cell);
    for (const Measure& measure : kMeasures) {
      row.push_back({mismatch == evidence.mismatches.end()
                         ? "-"
                         : number_words(mismatch->second.*measure.value, 3)});
    }
    for (const std::string& part : helping_parts()) {
      const Gain* gain = gain_of(evidence, part, cell);
      row.push_back({gain == nullptr    ? "-"
                     : gain->seeds == 1 ? fmt::format("{:+.1f}", gain->percent)
                                        : fmt::format("{:+.1f} ({})", gain->percent, gain->seeds)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Gains of a part with the cells that have a mismatch.
struct Pairs {
  std::vector<double> gains;
  std::vector<const Mismatch*> mismatches;
  std::set<std::string> datasets;
};

Pairs pairs_of(const HelpsEvidence& evidence, const std::string& part) {
  Pairs pairs;
  for (const Gain& gain : evidence.gains) {
    const auto mismatch = evidence.mismatches.find(gain.cell);
    if (gain.part != part || mismatch == evidence.mismatches.end()) continue;
    if (!std::isfinite(mismatch->second.spectral)) continue;
    pairs.gains.push_back(gain.percent);
    pairs.mismatches.push_back(&mismatch->second);
    pairs.datasets.insert(gain.cell.first);
  }
  return pairs;
}

Table correlation_table(const HelpsEvidence& evidence) {
  Table table{.caption = "Rank correlation of the gain with each mismatch, over cells"};
  table.heading = {"part",       "cells",           "datasets",         "mean gain, %",
                   "mean shift", "deviation shift", "spectral mismatch"};
  for (const std::string& part : helping_parts()) {
    const Pairs pairs = pairs_of(evidence, part);
    if (pairs.gains.empty()) continue;
    const double mean = std::accumulate(pairs.gains.begin(), pairs.gains.end(), 0.0) /
                        static_cast<double>(pairs.gains.size());
    std::vector<TableCell> row = {{part},
                                  {std::to_string(pairs.gains.size())},
                                  {std::to_string(pairs.datasets.size())},
                                  {fmt::format("{:+.1f}", mean)}};
    for (const Measure& measure : kMeasures) {
      std::vector<double> shifts;
      for (const Mismatch* each : pairs.mismatches) shifts.push_back(each->*measure.value);
      row.push_back({number_words(rank_correlation(pairs.gains, shifts), 2)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string missing_gains(const HelpsEvidence& evidence) {
  std::string words;
  for (const std::string& part : helping_parts()) {
    std::size_t missing = 0;
    std::set<std::string> datasets;
    for (const CellName& cell : evidence.cells) {
      if (gain_of(evidence, part, cell) != nullptr) continue;
      ++missing;
      datasets.insert(cell.first);
    }
    if (missing == 0) continue;
    std::string names;
    for (const std::string& name : datasets) names += (names.empty() ? "" : ", ") + name;
    words += fmt::format("{}{}: {} ({})", words.empty() ? "" : "; ", part, counted(missing, "cell"),
                         names);
  }
  return words.empty() ? "No run is missing." : fmt::format("Runs that are missing: {}.", words);
}

}  // namespace

std::vector<std::string> helping_parts() {
  std::vector<std::string> names;
  for (const Without& without : withouts()) names.emplace_back(without.part);
  return names;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::size_t kFewest = 3;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (a.size() < kFewest) return kNone;
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = (static_cast<double>(a.size()) - 1.0) / 2.0;
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += std::pow(x[i] - mean, 2);
    yy += std::pow(y[i] - mean, 2);
  }
  return xx > 0.0 && yy > 0.0 ? xy / std::sqrt(xx * yy) : kNone;
}

void add_helps(const HelpsEvidence& evidence, std::vector<Block>& out) {
  if (evidence.gains.empty()) {
    out.push_back(Paragraph{"None of its runs is done."});
    return;
  }
  out.push_back(gains_table(evidence));
  out.push_back(correlation_table(evidence));
  std::set<std::string> datasets;
  for (const Gain& gain : evidence.gains) datasets.insert(gain.cell.first);
  constexpr std::size_t kFewDatasets = 5;
  if (datasets.size() < kFewDatasets) {
    out.push_back(Paragraph{fmt::format(
        "The cells are of {}, and horizons of one file are no independent witnesses: a "
        "correlation here tells files apart and may be due to anything else in which they "
        "differ. No default may rest on it.",
        counted(datasets.size(), "dataset"))});
  }
  out.push_back(Paragraph{missing_gains(evidence)});
}

}  // namespace pulsecast::paper
