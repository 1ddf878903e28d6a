// Settings are completed once, here, whoever gave them: the program, a config file, a study, or a
// program that links the library.
//
// What was told stays, also where it is what would have been chosen. What was not told is, in this
// order:
//   of the model   alone, what its backbone was published with, for the recipe's dataset where
//   there
//                  is such a row; inside PULSE, the backbone's published sizes, and a training of
//                  its own where it needs one (settings/published.h)
//   of a recipe    the paper's settings and protocol for the dataset and horizon, and for rows
//                  without stamps where they begin (settings/recipes.h)
//   usual          settings/usual.h
// A search for the best forecast (budget) is the default where nothing is told that says which
// model is trained or how. What depends on the rows (learning rate and loss too: a panel has
// others) stays open; that is the plan's to choose (plan.h).
#pragma once

#include <string_view>

#include "pulsecast/settings/settings.h"

namespace pulsecast::train {

// To be called before rows are read, since a recipe has a say in that; train::fit and make_plan
// call it for themselves. Completing a second time changes nothing. `dataset` names the data to
// whoever knows it without a recipe: its published rows serve a backbone. Throws Error(kUsage) for
// a recipe that the paper does not have.
Settings complete(const Settings& told, std::string_view dataset = {});

}  // namespace pulsecast::train
