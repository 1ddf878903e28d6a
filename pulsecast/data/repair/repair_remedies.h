// Settings that mend a fault in more than one way: what repair's refusals and the doctor's findings
// both offer.
#pragma once

#include <vector>

#include "pulsecast/base/remedy.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

// For values that are missing.
std::vector<Remedy> fill_remedies();

// For rows with the same stamp.
std::vector<Remedy> duplicate_remedies();

// For rows of many series that were not read as such.
std::vector<Remedy> layout_remedies(const LongColumns& columns);

}  // namespace pulsecast
