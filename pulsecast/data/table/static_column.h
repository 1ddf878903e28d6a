// A column that says one thing of each series: the region of a shop, the kind of a sensor.
#pragma once

#include <string>
#include <vector>

namespace pulsecast {

struct StaticColumn {
  std::string name;
  std::vector<std::string> values;  // one a series; empty where no row of it has any

  friend bool operator==(const StaticColumn&, const StaticColumn&) = default;
};

}  // namespace pulsecast
