// The words of a workbook: each text once; cells have numbers of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pulsecast/data/readers/byte_source.h"

namespace pulsecast {

inline constexpr std::size_t kMostWordBytes = std::size_t{1} << 30;

// Throws Error(kData) where they would take more memory; an empty one takes some too.
std::vector<std::string> read_words(ByteSource& bytes, const std::string& source,
                                    std::size_t most_bytes = kMostWordBytes);

}  // namespace pulsecast
