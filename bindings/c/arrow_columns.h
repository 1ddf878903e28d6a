// Arrow data as columns that a Table can be made of. Values stay where they are until then.
#pragma once

#include <string>

#include "bindings/c/arrow_data.h"
#include "pulsecast/data/readers/columns_reader.h"

namespace pulsecast::c {

// A column for each child, over all batches, which they keep alive. Throws Error(kData) where the
// data is not what its schema says.
TypedColumns arrow_columns(const ArrowBatches& batches, const std::string& source);

}  // namespace pulsecast::c
