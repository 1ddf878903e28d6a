// Medians with quartiles, as a table for people and as JSON for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pulsecast::bench {

struct Statistic {
  double median = 0.0;
  double low = 0.0;   // first quartile
  double high = 0.0;  // third quartile
};
Statistic summarise(std::vector<double> samples);

// One measured case; times in seconds.
struct Row {
  std::string name;
  double gflop = 0.0;  // arithmetic of one repeat, 0 where that says nothing
  Statistic ours;
  std::optional<Statistic> blas;  // the same matrix products through bare sgemm
  std::optional<Statistic> peer;
  std::string bar;  // what the case must reach, in words
};

void print_table(const std::string& title, const std::string& peer, const std::vector<Row>& rows);
void print_json(const std::string& title, const std::string& peer, const std::vector<Row>& rows);

// The arguments every benchmark takes: --json, --peer PYTHON, --rounds N. Prints usage and exits on
// anything else.
struct Arguments {
  bool json = false;
  std::string peer;
  int rounds = 15;
};
Arguments parse_arguments(int argc, char** argv, const char* purpose);

}  // namespace pulsecast::bench
