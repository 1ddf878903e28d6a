// Settings that somebody else found good, put into a Settings: the paper's recipes, and what the
// backbones were published with.
#pragma once

#include "pulsecast/settings/published.h"
#include "pulsecast/settings/recipes.h"
#include "pulsecast/settings/settings.h"

namespace pulsecast {

// Sets what the recipe says, and the protocol that belongs to it: the split, rows as they are, the
// phase by row number. What a user says on top is to be applied after.
void apply_recipe(const Recipe& recipe, Settings& settings);

// Sets the backbone's sizes as published, and its dropout.
void apply_published_sizes(const Published& published, Settings& settings);
// Sets those and its training as published: the model alone, with the squared error and
// windows as they are. Those of a dataset also set what the forecaster sees: the look-back and the
// calendar. After a recipe, whose protocol they keep.
void apply_published(const Published& published, Settings& settings);

// Sets the training of a backbone inside PULSE where it has one of its own (published.h).
void apply_inside(BackboneKind backbone, Settings& settings);

}  // namespace pulsecast
