// The cells for programs.
#pragma once

#include <string>

#include "pulsecast/paper/sections.h"

namespace pulsecast::paper {

// A row a cell of the tables of errors: the paper's numbers, ours, spread and ratio.
std::string to_csv(const Material& material);
std::string to_json(const Material& material, const Count& count);

}  // namespace pulsecast::paper
