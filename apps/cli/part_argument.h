// The rows that a verb scores, by their names on the command line.
#pragma once

#include <string>

#include "pulsecast/forecast/part.h"

namespace pulsecast::cli {

// "held-out", "validation", "training", "all". Throws Error(kUsage) that names --part.
Part part_of(const std::string& text);

}  // namespace pulsecast::cli
