// Any bytes as numbers without header and stamps.

#include <cstdint>

#include "pulsecast/data/readers/fuzz_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pulsecast::DataSettings settings;
  settings.layout = pulsecast::Layout::kNumbers;
  settings.start = "2006-01-01 00:00";
  settings.step = "10min";
  pulsecast::fuzzing::read_and_repair({reinterpret_cast<const char*>(data), size}, settings);
  return 0;
}
