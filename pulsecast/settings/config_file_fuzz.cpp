// Any text as a config file: settings within their ranges, or an Error that says where.

#include "pulsecast/settings/config_file.h"

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"
#include "pulsecast/settings/catalogue.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  Settings settings;
  try {
    apply_config({reinterpret_cast<const char*>(data), size}, "fuzz", bind_all(settings));
  } catch (const Error& error) {
    if (error.message().empty() || error.kind() != ErrorKind::kUsage) std::abort();
  }
  return 0;
}
