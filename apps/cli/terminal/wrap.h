// Text in lines that are no wider than a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pulsecast::cli {

// Words in lines of at most `width` characters, each after `indent` blanks, the first without them
// where `starts_at` characters of its line are there already. A word that is wider has a line of
// its own. Ends with '\n'.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t starts_at = 0);

// A term and what it means: beside each other from `column` on, or below where the term is longer.
std::string wrapped_entry(std::string_view term, std::string_view meaning, std::size_t width,
                          std::size_t column);

// A command to copy, after two blanks. What is too long goes on after a backslash, as a shell takes
// it; a remark behind "  # " then has a line of its own above.
std::string wrapped_command(std::string_view command, std::size_t width);

}  // namespace pulsecast::cli
