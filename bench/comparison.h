// What was measured beside others, printed as Markdown and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report.h"

namespace pulsecast::bench {

struct Other {
  std::string as;  // "eager"
  std::optional<Statistic> seconds;
  std::optional<Statistic> ratio;
  std::string problem;
};

struct Measured {
  std::string measure;
  std::string name;
  Statistic ours;
  std::vector<Other> others;
  std::string bar;
  std::string unit = "ms";
};

// `peer` is what the others call themselves.
void print_tables(const std::vector<Measured>& results, const std::string& peer);
void print_as_json(const std::vector<Measured>& results, const std::string& peer);

}  // namespace pulsecast::bench
