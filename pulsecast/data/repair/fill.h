// Ways to fill a gap: runs of NaN in one channel of evenly spaced values.
//
// Each does what its name says and nothing else: where there is no value to fill from (before the
// first, and for a line after the last) the gap stays. All return the number of values filled.
#pragma once

#include <cstddef>
#include <span>

namespace pulsecast {

// 0, at the edges too.
std::size_t fill_zero(std::span<double> values);

// The last value before the gap.
std::size_t fill_previous(std::span<double> values);

// A straight line from the value before the gap to the value after it.
std::size_t fill_linear(std::span<double> values);

// The value one period earlier, which may be filled itself. `period` is 1 or more.
std::size_t fill_seasonal(std::span<double> values, std::size_t period);

}  // namespace pulsecast
