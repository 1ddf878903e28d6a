// Markdown as a terminal shows it: tables in columns, no marks.
#pragma once

#include <string>
#include <string_view>

namespace pulsecast::cli {

// Of the Markdown that reports are written in: headings, tables, bold and code; HTML tags and
// pictures are left out. Tables are as wide as they are, because their columns are numbers.
std::string markdown_text(std::string_view markdown);

}  // namespace pulsecast::cli
