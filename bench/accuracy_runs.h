// Finished runs of bench_accuracy, by variant and cell.
//
// Variants are compared over the cells and seeds that both have and over no others: three seeds of
// one against one of another would compare the seeds.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast::bench {

struct TrainedRun {
  std::string variant;
  std::string dataset;
  int horizon = 0;
  std::int64_t seed = 0;
  double mse = 0.0;
  double mae = 0.0;
  double validation_mse = 0.0;  // of the epoch that was kept; NaN where it is not recorded
  double epochs = 0.0;
  double best_epoch = 0.0;
  double seconds = 0.0;
};

// A line that bench_accuracy wrote.
TrainedRun run_of(const nlohmann::json& line);
// A line of tools/train_twin.py, as a run of the variant "twin".
TrainedRun twin_run_of(const nlohmann::json& line);

using Field = double TrainedRun::*;

double mean_of(std::span<const TrainedRun> runs, Field field);

// One cell of two variants.
struct PairedCell {
  std::string_view dataset;
  int horizon = 0;
  std::vector<TrainedRun> left;
  std::vector<TrainedRun> right;

  double ratio(Field field) const { return mean_of(left, field) / mean_of(right, field); }
};

enum class Seeds {
  kShared,  // those that both sides have
  kAll,     // where a seed means something else on each side
};

class Runs {
 public:
  explicit Runs(std::vector<TrainedRun> runs) : runs_(std::move(runs)) {}

  std::vector<TrainedRun> of(std::string_view variant, std::string_view dataset, int horizon) const;
  // Cells of the paper, in its order, of which both variants have a run. An empty `dataset` is all.
  std::vector<PairedCell> paired(std::string_view left, std::string_view right,
                                 std::string_view dataset = {}, Seeds seeds = Seeds::kShared) const;

 private:
  std::vector<TrainedRun> runs_;
};

// Over cells: the mean of each cell's mean.
double mean_left(std::span<const PairedCell> cells, Field field);
double mean_right(std::span<const PairedCell> cells, Field field);
double mean_ratio(std::span<const PairedCell> cells, Field field);

}  // namespace pulsecast::bench
