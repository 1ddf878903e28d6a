// How models, settings and numbers are written in tables.
#pragma once

#include <string>
#include <string_view>

#include "pulsecast/paper/document.h"
#include "pulsecast/paper/findings.h"

namespace pulsecast::paper {

// "pulse:dlinear" is "DLinear + PULSE".
std::string model_words(std::string_view model);
// "router=false" is "without phase router", "router-width=64" is "router-width 64".
std::string setting_words(std::string_view setting);

// "0.3621 ± 0.0032" and below it "paper 0.362, 1.000": the ratio of ours to the paper's.
TableCell compared(const benchmark::MeanSpread& ours, std::size_t seeds, double paper);
// "0.3621", or "-" of what is no number.
std::string number_words(double value, int digits);

}  // namespace pulsecast::paper
