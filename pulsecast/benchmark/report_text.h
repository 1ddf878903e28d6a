// Pieces of text that reports share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/benchmark/standings.h"

namespace pulsecast::benchmark {

// Quoted where it has to be.
std::string csv_cell(const std::string& text);
// A '|' in a name would end its cell.
std::string markdown_cell(std::string text);
// The line below a table's heading.
std::string markdown_rule(std::size_t columns);
// 0 is the mean over horizons.
std::string horizon_text(std::int64_t horizon);

// What both kinds of MASE are, for those who read a table of them.
inline constexpr const char* kMaseExplained =
    "MASE: the MAE over what the data differ by from the value that many steps (the lag) earlier. "
    "The usual kind divides each channel by its own training rows; the paper's pools the channels "
    "and divides by the rows that were forecast.";
bool has_mase(const Standings& standings);
// Lags at which a row of standings has MASE of anybody.
std::vector<std::size_t> mase_lags(const StandingsRow& row);
// "0.8120", or "-" where there is none at that lag.
std::string mase_text(const Standing& standing, std::size_t lag, double LagMase::*kind);

// Forecasts that cost nothing, in the order in which rows have them.
std::vector<std::string> baseline_names(const Standings& standings);

// "0.0312", "< 0.0001", or "-" where there is no test.
std::string p_text(const std::optional<DieboldMariano>& test);

}  // namespace pulsecast::benchmark
