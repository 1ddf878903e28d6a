// Where training stands: everything that the next step depends on, beside settings and data.
//
// Random numbers are functions of (seed, epoch, step), so there is no generator to save: weights,
// Adam's moments, the best weights so far and a few counts are all.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "pulsecast/train/reports.h"

namespace pulsecast::train {

struct TrainingState {
  std::uint32_t epoch = 1;       // in progress
  std::uint32_t steps_done = 0;  // of this epoch
  std::int64_t adam_steps = 0;   // in all
  double loss_sum = 0.0;         // over the steps of this epoch
  double seconds = 0.0;          // spent on this epoch
  std::vector<float> weights;
  std::vector<float> moment1;
  std::vector<float> moment2;

  std::vector<float> best_weights;
  std::uint32_t best_epoch = 0;  // 0: none yet
  double best_validation = std::numeric_limits<double>::infinity();
  std::vector<EpochRecord> history;  // of the epochs that are done
};

}  // namespace pulsecast::train
