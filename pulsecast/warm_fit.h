// Training from another model's weights beside training from a fresh start. Inside the face.
#pragma once

#include "pulsecast/forecaster.h"
#include "pulsecast/train/fit.h"

namespace pulsecast {

// Trains both to their ends and gives the one that validates better; its decisions say which. The
// fresh start's checkpoint is the other's with ".fresh". Throws Error(kUsage) for a model that is
// solved and has no start.
train::Fitted fit_from(const artifact::Model& old, const Series& series, const Settings& told,
                       bool refit, const train::FitHooks& hooks, ThreadPool& pool,
                       FitStarts& starts);

}  // namespace pulsecast
