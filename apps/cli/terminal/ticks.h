// Round numbers along an axis: 1, 2 or 5 times a power of ten apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pulsecast::cli {

struct Range {
  double low = 0.0;
  double high = 0.0;  // above low

  // Where a value lies: 0 at low, 1 at high. Safe where high - low is beyond double's range.
  double share(double value) const;
};

// The range of finite values from `low` to `high`, made wider where they differ by rounding alone.
Range range_of(double low, double high);

struct Tick {
  double value = 0.0;
  std::string text;  // with as many decimals as the distance between ticks needs
};

// Two to `most` ticks inside the range, in ascending order; none where `most` is below two. Where
// no two round numbers fit, the ends of the range, to two digits of its length.
std::vector<Tick> round_ticks(const Range& range, std::size_t most);

}  // namespace pulsecast::cli
