// The files in numbers/, as constants.
#pragma once

#include <string_view>

namespace pulsecast::paper {

extern const std::string_view kErrorsCsv;
extern const std::string_view kEfficiencyCsv;
extern const std::string_view kMismatchCsv;

}  // namespace pulsecast::paper
