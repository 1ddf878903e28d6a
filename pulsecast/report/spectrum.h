// What cycles are in rows: the mean amplitude of each frequency.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pulsecast::report {

struct Spectrum {
  std::vector<double> frequencies;  // cycles a step, 1/n .. 1/2
  std::vector<double> amplitudes;   // of a sine of that frequency, a mean over the rows
};

// rows (count, length), each without its mean. Rows with a gap are left out; where none is left, or
// `length` is below 2, there is nothing.
Spectrum mean_spectrum(std::span<const float> rows, std::size_t length);

}  // namespace pulsecast::report
