// What a static column tells series apart by: each of its texts is a group, or each of some
// stretches of its numbers.
//
// Words are taken as they are written. So are numbers where they are few (a store's type is a
// number in many files); of many, eighths of them are a group each, so that a size that no series
// of training has still falls among those that are near.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/table/static_column.h"

namespace pulsecast {

struct StaticGroups {
  std::string column;
  std::vector<std::string> texts;  // one a group, sorted; or empty, and
  std::vector<double> bounds;      // ascending: a group below each, and one from the last on

  static StaticGroups of(const StaticColumn& column);

  std::size_t size() const { return bounds.empty() ? texts.size() : bounds.size() + 1; }
  // None where nothing is said, or what no series of training had.
  std::optional<std::size_t> of(const std::string& value) const;
  // "north", "below 120", "120 to 300", "300 and above".
  std::string label(std::size_t group) const;

  friend bool operator==(const StaticGroups&, const StaticGroups&) = default;
};

}  // namespace pulsecast
