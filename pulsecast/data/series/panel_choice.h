// Whether windows are of one series each or of all channels together, where nobody said it.
#pragma once

#include <optional>
#include <string>

#include "pulsecast/data/series/series.h"

namespace pulsecast {

// Channels with weights of their own.
inline constexpr std::size_t kMostTogether = 1000;

// Whether the channels are those of a long file of several series.
bool is_long(const Series& series);

// Why each series should have windows of its own: there are many of them in a long file, they begin
// or end at different times, static columns are told of them, or they are too many for weights of
// their own. None where channels are best forecast together.
std::optional<std::string> why_each_alone(const Series& series);

}  // namespace pulsecast
