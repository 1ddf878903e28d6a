// The model of a verb that takes a model and then rows.
#pragma once

#include <string>

#include "pulsecast/forecaster.h"

namespace pulsecast::cli {

// Loads it. Where the two files were given the other way round, throws Error(kUsage) with the
// command as it should be.
std::shared_ptr<const Model> load_beside(const char* verb, const std::string& model,
                                         const std::string& rows);

}  // namespace pulsecast::cli
