// Names from files, made safe to print in a line of fixed width.
//
// A column may be named anything: a name with an escape sequence in it must not reach the terminal
// as one. Widths count code points; the few that take two places, or none, are not worth a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pulsecast::cli {

// `text`, UTF-8, with '?' for control characters and broken bytes, and with `ascii` for all beyond
// ASCII; cut to `width`, with "..." at the end where there is room for it.
std::string plain_text(std::string_view text, std::size_t width, bool ascii);

// Code points of UTF-8.
std::size_t text_width(std::string_view text);

}  // namespace pulsecast::cli
