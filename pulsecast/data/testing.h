// For tests: real benchmark files, where there are any.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace pulsecast::testing {

// The path of "ETTh1.csv.gz" in $PULSECAST_DATA, else in ../shared/data; "" where neither has it.
// The files are not ours to pass on: a test that gets "" skips, and says so.
inline std::string benchmark_file(const std::string& file) {
  const char* folder = std::getenv("PULSECAST_DATA");
  const std::filesystem::path path =
      (folder != nullptr ? std::filesystem::path(folder)
                         : std::filesystem::path(PULSECAST_SOURCE_DIR) / "../shared/data") /
      file;
  return std::filesystem::exists(path) ? path.string() : "";
}

inline constexpr const char* kNoBenchmarkFiles =
    "the benchmark files are neither in $PULSECAST_DATA nor in ../shared/data";

}  // namespace pulsecast::testing
