// A program run to its end: how long it took and how much memory it came to hold.
#pragma once

#include <string>
#include <vector>

namespace pulsecast::bench {

struct ChildRun {
  bool succeeded = false;
  double seconds = 0.0;
  double peak_bytes = 0.0;
  std::string output;  // what it wrote to standard output
};
ChildRun run_child(const std::vector<std::string>& command);

}  // namespace pulsecast::bench
