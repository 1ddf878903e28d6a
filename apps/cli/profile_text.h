// The profile of a run as a table: what each operation took of the time that the threads had.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "pulsecast/base/profile.h"

namespace pulsecast::cli {

// `seconds` is what the whole took by the clock. Time that no operation took (threads that waited
// for work, reading, planning) is the last line.
std::string profile_text(std::span<const profile::Entry> entries, double seconds,
                         std::size_t threads, std::size_t lanes);
nlohmann::ordered_json profile_json(std::span<const profile::Entry> entries, double seconds,
                                    std::size_t threads, std::size_t lanes);

}  // namespace pulsecast::cli
