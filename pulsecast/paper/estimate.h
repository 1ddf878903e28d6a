// How long runs take: from what they compute, and better from what others of the same kind took.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "pulsecast/benchmark/cost.h"
#include "pulsecast/benchmark/study.h"
#include "pulsecast/data/paper/dataset.h"

namespace pulsecast::paper {

// What a forecast of the run's model costs on the clock, on rows of the dataset's shape that are
// made up.
benchmark::Cost measured_cost(const benchmark::Task& task, const Dataset& dataset);

// Of a training from nothing.
double estimated_seconds(const benchmark::Task& task, const Dataset& dataset, std::size_t threads);

// What estimates are multiplied by, from the runs that are done.
class Pace {
 public:
  // A run that was thought to take `estimated` seconds.
  void add(const std::string& model, double estimated, double seconds);
  double of(const std::string& model) const;

 private:
  struct Sums {
    double estimated = 0.0;
    double seconds = 0.0;
  };
  std::map<std::string, Sums> models_;
  Sums all_;
};

}  // namespace pulsecast::paper
