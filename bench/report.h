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
// Of theirs[i] / ours[i].
Statistic summarise_ratios(const std::vector<double>& theirs, const std::vector<double>& ours);

// One measured case; times in seconds.
struct Row {
  std::string name;
  double gflop = 0.0;  // arithmetic of one repeat, 0 where that says nothing
  Statistic ours;
  std::optional<Statistic> blas;  // the same matrix products through bare sgemm
  std::optional<Statistic> peer;
  // Of the rounds, each side's time over ours in the same round: what a noisy machine disturbs
  // least.
  std::optional<Statistic> fraction_of_blas;
  std::optional<Statistic> ratio_to_peer;
  std::string bar;  // what the case must reach, in words
};

// The arguments every benchmark takes: --json, --peer PYTHON, --rounds N. Prints usage and exits on
// anything else.
struct Arguments {
  bool json = false;
  std::string peer;
  int rounds = 25;
};
Arguments parse_arguments(int argc, char** argv, const char* purpose);

// As a table, or as JSON where the arguments say so.
void print(const Arguments& arguments, const std::string& title, const std::string& peer,
           const std::vector<Row>& rows);

}  // namespace pulsecast::bench
