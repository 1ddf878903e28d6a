// What the known columns of a model do to its targets.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/artifact/model_file.h"

namespace pulsecast::artifact {

// What a known column does to a target when it goes from its low to its high value, in the target's
// own units; of a panel, whose series share their effects, in deviations of a series.
struct ColumnEffect {
  std::string column;
  std::string target;
  EffectDesign::Column range;
  Effects::Change change;
};

// Of a model with effects.
std::vector<ColumnEffect> effects_of(const Model& model);

}  // namespace pulsecast::artifact
