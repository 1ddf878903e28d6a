// Errors with formatted messages. Apart from error.h, which users of the library include.
//
//   throw_error(ErrorKind::kData, "file.csv", "expected {} cells, found {}", 4, 5);
//   throw make_error(ErrorKind::kData, Place(file).at_line(7), "{} was in line {} already", a, b)
//       .with(remedy::set("duplicates", "first", "keeps the first of such rows"));
#pragma once

#include <fmt/format.h>

#include <utility>

#include "pulsecast/base/error.h"

namespace pulsecast {

// For an error with remedies.
template <typename... Args>
Error make_error(ErrorKind kind, Place place, fmt::format_string<Args...> format, Args&&... args) {
  return {kind, fmt::format(format, std::forward<Args>(args)...), std::move(place)};
}

template <typename... Args>
[[noreturn]] void throw_error(ErrorKind kind, Place place, fmt::format_string<Args...> format,
                              Args&&... args) {
  throw make_error(kind, std::move(place), format, std::forward<Args>(args)...);
}

}  // namespace pulsecast
