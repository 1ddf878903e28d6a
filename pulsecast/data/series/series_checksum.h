// A checksum of series, whatever file they came from.
#pragma once

#include <string>

#include "pulsecast/data/series/series.h"

namespace pulsecast {

// SHA-256, hexadecimal, over the names, roles, stamps and values (to the bit) of a series. Two
// files that become the same rows have the same one.
std::string series_checksum(const Series& series);

}  // namespace pulsecast
