// How delimited text is written: what stands between cells, and the decimal mark.
//
// Found by trying each way on the head of the file: the right one cuts the records into the same
// number of cells and makes the most of them readable. "2024-01-01;1,5;2,5" is one stamp and two
// numbers under ';' with a decimal comma, and nonsense under ','.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

struct Dialect {
  char separator = ',';  // ',', ';', '\t' or ' ' for runs of blanks
  char decimal = '.';

  friend bool operator==(const Dialect&, const Dialect&) = default;
};

// The first records of a file, cut into cells.
using Sample = std::vector<std::vector<std::string>>;

// At most some hundred records of `head`, which holds whole records. Blank lines are left out.
Sample take_sample(std::string_view head, char separator);

// Settings that say the separator or the decimal mark are obeyed; the rest is found. Throws
// Error(kUsage) when they contradict each other.
Dialect find_dialect(std::string_view head, const DataSettings& settings);

// "separator ';', decimal comma".
std::string to_text(const Dialect& dialect);

}  // namespace pulsecast
