// The model of a verb that takes a model and then rows.
#pragma once

#include <string>

#include "apps/cli/console.h"
#include "pulsecast/forecaster.h"

namespace pulsecast::cli {

// Loads it. Where the two files were given the other way round, throws Error(kUsage) with the
// command as it should be.
Forecaster load_beside(const char* verb, const std::string& model, const std::string& rows,
                       const Console& console);

}  // namespace pulsecast::cli
