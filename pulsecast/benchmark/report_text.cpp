#include "pulsecast/benchmark/report_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pulsecast::benchmark {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string markdown_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

std::string markdown_rule(std::size_t columns) {
  std::string text = "|";
  for (std::size_t i = 0; i < columns; ++i) text += "---|";
  return text + "\n";
}

std::string horizon_text(std::int64_t horizon) {
  return horizon == 0 ? "mean" : std::to_string(horizon);
}

bool has_mase(const Standings& standings) {
  return std::ranges::any_of(standings.rows,
                             [](const StandingsRow& row) { return !mase_lags(row).empty(); });
}

std::vector<std::size_t> mase_lags(const StandingsRow& row) {
  std::vector<std::size_t> lags;
  for (const Standing& standing : row.standings) {
    for (const LagMase& each : standing.mase) {
      if (std::ranges::find(lags, each.lag) == lags.end()) lags.push_back(each.lag);
    }
  }
  return lags;
}

std::string mase_text(const Standing& standing, std::size_t lag, double LagMase::*kind) {
  const auto found = std::ranges::find(standing.mase, lag, &LagMase::lag);
  return found == standing.mase.end() ? "-" : fmt::format("{:.4f}", (*found).*kind);
}

std::vector<std::string> baseline_names(const Standings& standings) {
  std::vector<std::string> names;
  for (const StandingsRow& row : standings.rows) {
    for (const BaselineScore& each : row.baselines) {
      if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
    }
  }
  return names;
}

std::string p_text(const std::optional<DieboldMariano>& test) {
  if (!test) return "-";
  return test->p_value < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", test->p_value);
}

}  // namespace pulsecast::benchmark
