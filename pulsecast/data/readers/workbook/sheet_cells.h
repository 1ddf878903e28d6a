// The cells of a sheet's XML file.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/data/readers/byte_source.h"
#include "pulsecast/data/readers/workbook/serial_stamp.h"
#include "pulsecast/data/readers/workbook/sheet_text.h"

namespace pulsecast {

// What cells name by number.
struct SheetContext {
  const std::vector<std::string>& words;
  const std::vector<StampFormat>& formats;
  bool counts_from_1904 = false;
};

SheetText read_cells(ByteSource& bytes, const std::string& source, const SheetContext& context);

}  // namespace pulsecast
