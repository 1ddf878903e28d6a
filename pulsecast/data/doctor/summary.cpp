#include "pulsecast/data/doctor/summary.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace pulsecast {

std::vector<Diagnosis::KindSummary> summarise(const std::vector<Finding>& findings) {
  constexpr std::size_t kWorst = 3;
  std::map<Finding::Kind, std::unordered_map<std::string, std::size_t>> counts;
  for (const Finding& finding : findings) {
    if (!finding.series.empty()) counts[finding.kind][finding.series] += finding.count;
  }
  std::vector<Diagnosis::KindSummary> summary;
  for (const auto& [kind, by_series] : counts) {
    Diagnosis::KindSummary own{kind, by_series.size(), 0, {by_series.begin(), by_series.end()}};
    for (const auto& [series, count] : by_series) own.count += count;
    // The shortest series is the worst of those that are too short.
    const bool fewest_first = kind == Finding::Kind::kTooShort;
    std::ranges::sort(own.worst, [&](const auto& a, const auto& b) {
      if (a.second != b.second) return (a.second > b.second) != fewest_first;
      return a.first < b.first;
    });
    if (own.worst.size() > kWorst) own.worst.resize(kWorst);
    summary.push_back(std::move(own));
  }
  return summary;
}

}  // namespace pulsecast
