#include "pulsecast/paper/estimate.h"

#include <algorithm>

#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/paper/parts.h"

namespace pulsecast::paper {
namespace {

// What a core of a server of today reaches in these steps, and what a window costs beside products.
constexpr double kOperationsASecond = 6e10;
constexpr double kSecondsAWindow = 1e-5;
constexpr double kForwardAndBack = 3.0;
constexpr double kShareOfEpochs = 0.7;  // until training ends early
// Large convolutions go over the spectrum and take a tenth of what is counted of them (decision
// 14).
constexpr double kShareOfTimesNet = 0.1;

std::size_t training_rows(const Dataset& dataset, const benchmark::Task& task) {
  constexpr std::size_t kUnknown = 35000;
  const std::size_t rows = dataset.rows == 0 ? kUnknown : dataset.rows;
  const std::size_t train = protocol_split(dataset, rows).train.size();
  const auto window = static_cast<std::size_t>(task.key.horizon + kLookback);
  return std::max(train, window + 1) - window;
}

// Few rows of the shape, and settings that go with them.
struct CostCase {
  Series series;
  Settings settings;
};

CostCase cost_case(const benchmark::Task& task, const Dataset& dataset) {
  Settings settings = task.base.settings;
  settings.data.split = "0.7,0.1,0.2";
  settings.training.recipe.reset();
  SyntheticSettings made;
  made.rows = 4 * (std::stoll(*settings.data.lookback) + task.key.horizon);
  made.channels = static_cast<std::int64_t>(dataset.channels);
  made.step = std::string(dataset.step);
  return {make_series(Synthetic(made)), settings};
}

// Of a window among others, as in training. Inside PULSE a backbone comes in place of the mlp.
double operations_of(const CostCase& made) {
  constexpr std::size_t kManyWindows = 48;
  const auto count = [&](const Settings& settings, std::size_t windows) {
    return static_cast<double>(benchmark::count_cost(made.series, settings, windows).operations);
  };
  const auto of_backbone = [&](BackboneKind backbone, double operations) {
    return backbone == BackboneKind::kTimesNet ? kShareOfTimesNet * operations : operations;
  };
  if (const auto alone = backbone_alone(made.settings.model.model)) {
    return of_backbone(*alone, count(made.settings, 1));
  }
  Settings own = made.settings;
  own.model.backbone = BackboneKind::kMlp;
  const double together = count(own, kManyWindows);
  if (made.settings.model.backbone == BackboneKind::kMlp) return together;
  return together +
         of_backbone(made.settings.model.backbone, count(made.settings, 1) - count(own, 1));
}

}  // namespace

benchmark::Cost measured_cost(const benchmark::Task& task, const Dataset& dataset) {
  const CostCase made = cost_case(task, dataset);
  return benchmark::measure_cost(made.series, made.settings);
}

double estimated_seconds(const benchmark::Task& task, const Dataset& dataset, std::size_t threads) {
  const double window = kForwardAndBack * operations_of(cost_case(task, dataset)) /
                            (kOperationsASecond * static_cast<double>(threads)) +
                        kSecondsAWindow;
  const double epochs =
      kShareOfEpochs * static_cast<double>(task.base.settings.training.epochs.value_or(10));
  return std::max(1.0, epochs) * window * static_cast<double>(training_rows(dataset, task));
}

void Pace::add(const std::string& model, double estimated, double seconds) {
  for (Sums* sums : {&models_[model], &all_}) {
    sums->estimated += estimated;
    sums->seconds += seconds;
  }
}

// A little of what is known counts little: a first run of a second tells nothing of hours.
double Pace::of(const std::string& model) const {
  constexpr double kBelief = 60.0;  // seconds that the estimate itself is worth
  const double all = (all_.seconds + kBelief) / (all_.estimated + kBelief);
  const auto own = models_.find(model);
  if (own == models_.end()) return all;
  return (own->second.seconds + kBelief * all) / (own->second.estimated + kBelief);
}

}  // namespace pulsecast::paper
