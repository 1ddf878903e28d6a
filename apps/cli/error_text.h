// Errors in words: four decimals, as papers have them, and three digits of those that are smaller.
#pragma once

#include <fmt/format.h>

#include <string>

namespace pulsecast::cli {

inline std::string error_text(double error) {
  return error > 0.0 && error < 0.001 ? fmt::format("{:.3g}", error) : fmt::format("{:.4f}", error);
}

// "48 %" of another; a share that rounds to nothing is less than 1 %.
inline std::string share_text(double share) {
  return share > 0.0 && share < 0.005 ? "less than 1 %" : fmt::format("{:.0f} %", 100.0 * share);
}

}  // namespace pulsecast::cli
