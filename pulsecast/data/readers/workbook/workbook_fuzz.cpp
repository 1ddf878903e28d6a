// Any bytes as the XML of a sheet.

#include <cstdint>

#include "pulsecast/data/readers/fuzz_table.h"
#include "pulsecast/data/readers/workbook/sheet_cells.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  const std::vector<std::string> words = {"date", "load, north"};
  const std::vector<StampFormat> formats = {{}, {.has_date = true}, {true, true, true}};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const SheetText cells = read_cells(*memory_source(bytes), "fuzz", {words, formats, false});
    // A line a row; no cell has line ends of its own.
    const std::string lines = cells.lines();
    fuzzing::require(lines.empty() == cells.empty());
    fuzzing::require(lines.empty() || lines.back() == '\n');
  } catch (const Error& error) {
    fuzzing::require(!error.message().empty());
  }
  return 0;
}
