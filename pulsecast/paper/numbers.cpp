#include "pulsecast/paper/numbers.h"

#include <charconv>
#include <limits>
#include <string_view>

#include "pulsecast/paper/embedded.h"

namespace pulsecast::paper {
namespace {

std::vector<std::string_view> pieces(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(between, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

// The cells of every line after the heading; the files are ours, and a test reads all of them.
std::vector<std::vector<std::string_view>> lines_of(std::string_view csv) {
  std::vector<std::vector<std::string_view>> lines;
  csv.remove_prefix(csv.find('\n') + 1);
  for (const std::string_view line : pieces(csv, '\n')) {
    if (!line.empty()) lines.push_back(pieces(line, ','));
  }
  return lines;
}

double number(std::string_view text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "mean" is 0.
std::int64_t steps(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

const std::vector<Cell>& cells() {
  static const std::vector<Cell> all = [] {
    std::vector<Cell> read;
    for (const auto& line : lines_of(kErrorsCsv)) {
      read.push_back({.table = std::string(line[0]),
                      .dataset = std::string(line[1]),
                      .lookback = steps(line[2]),
                      .horizon = steps(line[3]),
                      .model = std::string(line[4]),
                      .setting = std::string(line[5]),
                      .paper = {number(line[6]), number(line[7]), number(line[8])}});
    }
    return read;
  }();
  return all;
}

const std::vector<CostCell>& cost_cells() {
  static const std::vector<CostCell> all = [] {
    std::vector<CostCell> read;
    for (const auto& line : lines_of(kEfficiencyCsv)) {
      read.push_back({std::string(line[0]), std::string(line[1]), number(line[2]), number(line[3]),
                      number(line[4]), number(line[5])});
    }
    return read;
  }();
  return all;
}

const std::vector<MismatchCell>& mismatch_cells() {
  static const std::vector<MismatchCell> all = [] {
    std::vector<MismatchCell> read;
    for (const auto& line : lines_of(kMismatchCsv)) {
      read.push_back({std::string(line[0]), steps(line[1]), number(line[2]), number(line[3]),
                      number(line[4])});
    }
    return read;
  }();
  return all;
}

}  // namespace pulsecast::paper
