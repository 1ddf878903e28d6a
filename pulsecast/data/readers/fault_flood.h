// Past some number of faults a table is not one of numbers with faults but something else.
#pragma once

#include "pulsecast/data/table/table.h"

namespace pulsecast {

// Throws Error(kData) that names the first of them.
void refuse_fault_flood(const Table& table);

}  // namespace pulsecast
