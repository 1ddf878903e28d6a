#include "pulsecast/benchmark/report_text.h"

#include <fmt/format.h>

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

std::string p_text(const std::optional<DieboldMariano>& test) {
  if (!test) return "-";
  return test->p_value < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", test->p_value);
}

}  // namespace pulsecast::benchmark
