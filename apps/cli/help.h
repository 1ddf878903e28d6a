// What --help prints, made from the command line as plain data.
#pragma once

#include <cstddef>
#include <string>

#include "apps/cli/command_tree.h"

namespace pulsecast::cli {

// In lines of at most `width` characters, but for words that are longer.
std::string help_text(const Command& command, std::size_t width);

}  // namespace pulsecast::cli
