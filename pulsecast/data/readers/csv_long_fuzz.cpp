// Any bytes as delimited text, a row per series and stamp, with a zone whose clocks change.

#include <cstdint>

#include "pulsecast/data/readers/fuzz_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pulsecast::DataSettings settings;
  settings.layout = pulsecast::Layout::kLong;
  settings.time_zone = "Europe/Berlin";
  pulsecast::fuzzing::read_and_repair({reinterpret_cast<const char*>(data), size}, settings);
  return 0;
}
