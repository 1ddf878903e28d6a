// Whether a file has a header line, and the names in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/data/readers/dialect.h"

namespace pulsecast {

struct Header {
  bool is_present = false;
  std::vector<std::string> names;  // one per column, UTF-8, no two alike, none empty
  std::vector<std::string> notes;  // what was done to the names, if anything
};

// The first record is a header when it holds text and no stamp: numbers may be names of columns,
// and a row of data has a stamp or numbers alone. Without a header, columns are named by their
// place, counted from 1.
Header find_header(const Sample& sample, const Dialect& dialect);

// The same text as UTF-8: as it is when it is valid, else read as Latin-1, which any bytes are.
std::string to_utf8(std::string_view bytes, bool& was_latin1);

}  // namespace pulsecast
