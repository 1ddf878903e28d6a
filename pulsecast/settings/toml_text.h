// Values of a TOML file as the text that settings are read from, with their places for messages.
//
// For sources that read TOML themselves: it needs toml++, which the rest of the library's headers
// keep from their users.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast {

// Throws Error(kUsage) with "source:line:column" where it is no TOML, or lies deeper than any file
// of ours.
toml::table parse_toml(std::string_view text, const std::string& source);

// The whole file, of 4 MB at most; `what` it is called in messages. Throws Error(kInputOutput).
std::string read_text(const std::filesystem::path& file, const char* what);

// "source:line:column".
std::string place_of(const toml::node& node, const std::string& source);

// A scalar as a person would have typed it on the command line, or a list of such. Throws
// Error(kUsage) at `where` for dates and tables.
std::vector<std::string> value_texts(const toml::node& node, const std::string& where);

}  // namespace pulsecast
