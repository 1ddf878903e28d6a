#include "pulsecast/settings/training_declaration.h"

#include <fmt/format.h>

#include <limits>

#include "pulsecast/settings/recipes.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

// The datasets that the paper has a recipe for.
std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) {
    if (names.empty() || names.back() != recipe.dataset) names.emplace_back(recipe.dataset);
  }
  return names;
}

// A default that a recipe or a backbone's own training replaces.
template <typename Value>
Unset usually(const Value& value) {
  return {fmt::format("{}, or as the recipe or the backbone needs", value)};
}

Declaration<TrainingSettings> declare_training() {
  using S = TrainingSettings;
  return Declaration<S>("training")
      .group("Training")
      .add("recipe", &S::recipe,
           {"the name of a dataset of the paper, such as ETTh1", recipe_names()},
           "settings and protocol of the paper for that dataset and the horizon; what is told "
           "beside it wins",
           Unset{"none"})
      .add("budget", &S::budget,
           {"a time such as 30s, 5m or 2h, a number of steps such as 2000steps, auto or none"},
           "what the search for the best forecast may take; none trains one model by the other "
           "settings",
           Unset{"auto, which fits the rows and is none for a panel; none where a recipe, a model "
                 "or how "
                 "it is trained is told"})
      .add("seed", &S::seed, {0, std::numeric_limits<std::int64_t>::max()},
           "the same seed, data and settings give the same model")
      .add(
          "solver", &S::solver, "how the weights are found",
          Unset{"ridge for linear alone, unless a loss, mixup, rate or schedule is told; gradients "
                "for all others"})
      .add("batch", &S::batch, {1, 1 << 20}, "windows a step",
           Unset{"256, less with many channels or few windows, or as the recipe or the backbone "
                 "needs"})
      .add("epoch-steps", &S::epoch_steps, {0, 1 << 30},
           "steps of an epoch, over windows that are drawn anew each time; 0 is all windows",
           Unset{"all windows, fewer with many channels"})
      .add("sampling", &S::sampling, "how often the series of a panel come in training",
           Unset{"even"})
      .add("epochs", &S::epochs, {1, 100000}, "most epochs", usually(usual::kEpochs))
      .add("patience", &S::patience, {1, 100000},
           "epochs without a better validation error after which training ends",
           usually(usual::kPatience))
      .add("learning-rate", &S::learning_rate, {1e-9, 10.0}, "step size of Adam",
           Unset{fmt::format("{}, {} for a panel, or as the recipe or the backbone needs",
                             usual::kLearningRate, usual::kPanelLearningRate)})
      .add("schedule", &S::schedule, "how the learning rate changes over the epochs",
           usually(choice_name(usual::kSchedule)))
      .add("loss", &S::loss, "what training makes small",
           Unset{fmt::format("{}, {} for a panel, or as the recipe or the backbone needs",
                             choice_name(usual::kLoss), choice_name(usual::kPanelLoss))})
      .add("mixup", &S::mixup, "how two windows become one in training",
           usually(choice_name(usual::kMixup)))
      .add("mixup-alpha", &S::mixup_alpha, {0.001, 100.0},
           "weights of a mix are drawn from Beta(alpha, alpha)")
      .add("calibration", &S::calibration, {0.0, 0.9},
           "share of validation that calibrates ranges instead of choosing the epoch: its newest "
           "rows, of a panel so many of its series; 0: forecasts will have no ranges",
           Unset{"0.5, or 0 with a recipe, whose protocol validates on all"})
      .add("validation-blocks", &S::validation_blocks, {1, 100},
           "runs of rows, spread over the newest third of those before the rows that calibrate, "
           "that validation is of; no target that trains is within a horizon of one; fewer where "
           "the rows do not allow so many",
           Unset{"1"})
      .add("intervals", &S::intervals, "how ranges are made",
           Unset{"quantile where its interval score is clearly better on the rows that choose the "
                 "epoch"})
      .add("checkpoint-seconds", &S::checkpoint_seconds, {0.0, 86400.0},
           "a checkpoint is written when this long has passed since the last; 0 is after every "
           "step");
}

}  // namespace

const Declaration<TrainingSettings>& training_settings() {
  static const Declaration<TrainingSettings> declaration = declare_training();
  return declaration;
}

}  // namespace pulsecast
