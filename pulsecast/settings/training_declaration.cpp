#include "pulsecast/settings/training_declaration.h"

#include <limits>

namespace pulsecast {
namespace {

Declaration<TrainingSettings> declare_training() {
  using S = TrainingSettings;
  return Declaration<S>("training")
      .group("Training")
      .add("seed", &S::seed, {0, std::numeric_limits<std::int64_t>::max()},
           "the same seed, data and settings give the same model")
      .add("batch", &S::batch, {1, 1 << 20}, "windows a step",
           Unset{"256, less with many channels or few windows"})
      .add("epoch-steps", &S::epoch_steps, {0, 1 << 30},
           "steps of an epoch, over windows that are drawn anew each time; 0 is all windows",
           Unset{"all windows, fewer with many channels"})
      .add("epochs", &S::epochs, {1, 100000}, "most epochs")
      .add("patience", &S::patience, {1, 100000},
           "epochs without a better validation error after which training ends")
      .add("learning-rate", &S::learning_rate, {1e-9, 10.0}, "step size of Adam")
      .add("schedule", &S::schedule, "how the learning rate changes over the epochs")
      .add("loss", &S::loss, "what training makes small")
      .add("mixup", &S::mixup, "how two windows become one in training")
      .add("mixup-alpha", &S::mixup_alpha, {0.001, 100.0},
           "weights of a mix are drawn from Beta(alpha, alpha)")
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
