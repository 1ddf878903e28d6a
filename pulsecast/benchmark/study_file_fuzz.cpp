// Any text as a study: one with all that a study needs, or an Error that says where.

#include "pulsecast/benchmark/study_file.h"

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  try {
    const benchmark::Study study =
        benchmark::parse_study({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
    if (study.models.empty() || study.datasets.empty() || study.seeds.empty()) std::abort();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
