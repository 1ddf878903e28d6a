// The place that an error speaks of: a file or a part of the library, a line, a column, a setting.
//
//   Place("load.csv").at_line(7).in_column("load")
//   Place::of_setting("start")
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace pulsecast {

struct Place {
  Place() = default;
  // Most places are a name alone.
  Place(std::string source_name) : source(std::move(source_name)) {}  // NOLINT(*-explicit-*)
  Place(const char* source_name) : source(source_name) {}             // NOLINT(*-explicit-*)

  static Place of_setting(std::string name) { return Place().about(std::move(name)); }

  Place at_line(std::uint64_t number) && {
    line = number;
    return std::move(*this);
  }
  Place in_column(std::string name) && {
    column = std::move(name);
    return std::move(*this);
  }
  Place about(std::string setting_name) && {
    setting = std::move(setting_name);
    return std::move(*this);
  }

  std::string source;                 // "load.csv", "training"; may be empty
  std::optional<std::uint64_t> line;  // of the file, counted from 1
  std::string column;                 // of the rows: its name, or empty
  std::string setting;                // its name, or empty
};

}  // namespace pulsecast
