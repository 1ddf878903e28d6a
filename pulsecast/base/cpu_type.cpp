#include "pulsecast/base/cpu_type.h"

#include <fstream>
#include <string_view>

namespace pulsecast {

std::string cpu_type() {
  std::ifstream stream("/proc/cpuinfo");
  std::string vendor, family, model;
  // Lines are "cpu family\t: 25"; the first CPU stands for all.
  for (std::string line; std::getline(stream, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::size_t begin = line.find_first_not_of(' ', colon + 1);
    const std::string value = begin == std::string::npos ? "" : line.substr(begin);
    if (key == "vendor_id") vendor = value;
    if (key == "cpu family") family = value;
    if (key == "model") model = value;
  }
  if (vendor.empty()) return "unknown";
  return vendor + " family " + family + " model " + model;
}

}  // namespace pulsecast
