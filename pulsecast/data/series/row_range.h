// A run of rows.
#pragma once

#include <cstddef>

namespace pulsecast {

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;  // one past the last

  std::size_t size() const { return end - begin; }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

}  // namespace pulsecast
