// What a shell needs to complete the command line: verbs, flags, the words that a flag takes,
// files.
#pragma once

#include <span>
#include <string>

#include "apps/cli/command_tree.h"

namespace pulsecast::cli {

std::string bash_completion(std::span<const Command> tree);
std::string zsh_completion(std::span<const Command> tree);
std::string fish_completion(std::span<const Command> tree);

// In single quotes, as every shell here reads it.
std::string shell_quoted(const std::string& text);

// The names of words with a space between them.
std::string names_of(std::span<const Word> words);

}  // namespace pulsecast::cli
