// Numbers of things in messages: "1 row", "96 rows".
//
//   counted(rows, "row")                          "1 row", "2 rows"
//   counted(missing, "value is", "values are")    where more than an s changes
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace pulsecast {

// `many` is `one` with an s unless given.
std::string counted(std::integral auto count, std::string_view one, std::string_view many = {}) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

}  // namespace pulsecast
