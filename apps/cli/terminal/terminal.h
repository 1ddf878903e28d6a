// What is at the other end: how wide it is, and what it can show.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string_view>

namespace pulsecast::cli {

// Whether what is written there can be overwritten: a terminal that is not dumb.
bool is_terminal(std::FILE* out);

// Whether to colour what is written there: is_terminal(), unless NO_COLOR is set.
bool takes_colour(std::FILE* out);

// In characters; where it is no terminal what COLUMNS says, else 80.
std::size_t terminal_width(std::FILE* out);

// Whether a locale such as "de_DE.UTF-8" writes UTF-8.
bool is_utf8_locale(std::string_view name);

// The same of the locale of the environment (LC_ALL, LC_CTYPE, LANG: the first that is set).
bool environment_is_utf8();

}  // namespace pulsecast::cli
