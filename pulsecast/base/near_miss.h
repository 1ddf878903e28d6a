// "Did you mean": the known names closest to one that was mistyped.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast {

// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other;
// case is free, and so is '_' for '-'.
std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `most` of `known`, closest first, that are near enough to have been meant.
std::vector<std::string> near_misses(std::string_view name, std::span<const std::string> known,
                                     std::size_t most = 3);

// " Did you mean 'lookback'?" or "": to be appended to a message.
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace pulsecast
