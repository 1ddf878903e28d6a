// Everything that can be set about a model and how it comes to be.
#pragma once

#include <vector>

#include "pulsecast/settings/data_settings.h"
#include "pulsecast/settings/model_settings.h"
#include "pulsecast/settings/recipes.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast {

struct Settings {
  DataSettings data;
  ModelSettings model;
  TrainingSettings training;
};

// All of them, section after section. `settings` must outlive the result.
std::vector<BoundSetting> bind_all(Settings& settings);

// Sets what the recipe says, and the protocol that belongs to it: the split, rows as they are, the
// phase by row number. What a user says on top is to be applied after.
void apply_recipe(const Recipe& recipe, Settings& settings);

}  // namespace pulsecast
