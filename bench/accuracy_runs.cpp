#include "bench/accuracy_runs.h"

#include <algorithm>
#include <cmath>

#include "bench/paper_results.h"

namespace pulsecast::bench {
namespace {

template <typename Value>
double mean_over(std::span<const PairedCell> cells, Value value) {
  double sum = 0.0;
  for (const PairedCell& cell : cells) sum += value(cell);
  return sum / static_cast<double>(cells.size());
}

void keep_shared_seeds(PairedCell& cell) {
  const auto is_alone_beside = [](const std::vector<TrainedRun>& others) {
    return [&](const TrainedRun& run) {
      return std::ranges::count(others, run.seed, &TrainedRun::seed) == 0;
    };
  };
  std::erase_if(cell.left, is_alone_beside(cell.right));
  std::erase_if(cell.right, is_alone_beside(cell.left));
}

}  // namespace

TrainedRun run_of(const nlohmann::json& line) {
  TrainedRun run{.variant = line.at("variant"),
                 .dataset = line.at("dataset"),
                 .horizon = line.at("horizon"),
                 .seed = line.at("seed"),
                 .mse = line.at("mse"),
                 .mae = line.at("mae"),
                 .validation_mse = NAN,
                 .epochs = line.at("epochs"),
                 .best_epoch = line.at("best_epoch"),
                 .seconds = line.at("seconds")};
  const std::vector<double> validation = line.at("validation_mse");
  if (!validation.empty()) run.validation_mse = *std::ranges::min_element(validation);
  return run;
}

TrainedRun twin_run_of(const nlohmann::json& line) {
  return {.variant = "twin",
          .dataset = line.at("dataset"),
          .horizon = line.at("horizon"),
          .seed = line.at("seed"),
          .mse = line.at("test_mse"),
          .mae = line.at("test_mae"),
          .validation_mse = NAN,
          .epochs = NAN,
          .best_epoch = NAN,
          .seconds = line.at("seconds")};
}

double mean_of(std::span<const TrainedRun> runs, Field field) {
  double sum = 0.0;
  for (const TrainedRun& run : runs) sum += run.*field;
  return sum / static_cast<double>(runs.size());
}

std::vector<TrainedRun> Runs::of(std::string_view variant, std::string_view dataset,
                                 int horizon) const {
  std::vector<TrainedRun> found;
  for (const TrainedRun& run : runs_) {
    if (run.variant == variant && run.dataset == dataset && run.horizon == horizon) {
      found.push_back(run);
    }
  }
  return found;
}

std::vector<PairedCell> Runs::paired(std::string_view left, std::string_view right,
                                     std::string_view dataset, Seeds seeds) const {
  std::vector<PairedCell> cells;
  for (const PaperCell& cell : kPaperCells) {
    if (!dataset.empty() && cell.dataset != dataset) continue;
    PairedCell pair{cell.dataset, cell.horizon, of(left, cell.dataset, cell.horizon),
                    of(right, cell.dataset, cell.horizon)};
    if (seeds == Seeds::kShared) keep_shared_seeds(pair);
    if (!pair.left.empty() && !pair.right.empty()) cells.push_back(std::move(pair));
  }
  return cells;
}

double mean_left(std::span<const PairedCell> cells, Field field) {
  return mean_over(cells, [&](const PairedCell& cell) { return mean_of(cell.left, field); });
}

double mean_right(std::span<const PairedCell> cells, Field field) {
  return mean_over(cells, [&](const PairedCell& cell) { return mean_of(cell.right, field); });
}

double mean_ratio(std::span<const PairedCell> cells, Field field) {
  return mean_over(cells, [&](const PairedCell& cell) { return cell.ratio(field); });
}

}  // namespace pulsecast::bench
