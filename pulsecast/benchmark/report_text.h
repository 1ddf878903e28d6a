// Pieces of text that reports share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pulsecast/metrics/diebold_mariano.h"

namespace pulsecast::benchmark {

// Quoted where it has to be.
std::string csv_cell(const std::string& text);
// A '|' in a name would end its cell.
std::string markdown_cell(std::string text);
// The line below a table's heading.
std::string markdown_rule(std::size_t columns);
// 0 is the mean over horizons.
std::string horizon_text(std::int64_t horizon);

// "0.0312", "< 0.0001", or "-" where there is no test.
std::string p_text(const std::optional<DieboldMariano>& test);

}  // namespace pulsecast::benchmark
