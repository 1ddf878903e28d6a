// Any bytes as NumPy arrays, in an archive or bare.

#include <cstdint>

#include "pulsecast/data/readers/fuzz_table.h"
#include "pulsecast/data/readers/npz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  DataSettings settings;
  settings.start = "2018-01-01";
  settings.step = "5min";
  try {
    fuzzing::require_sound(read_arrays(memory_source(bytes), "fuzz", settings));
  } catch (const Error& error) {
    fuzzing::require(!error.message().empty());
  }
  return 0;
}
