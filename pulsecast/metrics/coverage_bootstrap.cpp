#include "pulsecast/metrics/coverage_bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pulsecast/base/random.h"

namespace pulsecast {
namespace {

constexpr std::uint64_t kKey = 0x636f766572616765;  // "coverage"

std::size_t draw_below(std::size_t limit, std::uint32_t draw, std::uint32_t block) {
  const random::Block bits = random::philox4x32({block, draw, 0, 0}, kKey);
  const std::uint64_t wide = (std::uint64_t{bits[0]} << 32) | bits[1];
  return static_cast<std::size_t>(wide % limit);
}

}  // namespace

CoverageRange coverage_range(std::span<const double> hits, std::size_t block, double level,
                             std::size_t draws) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  assert(level > 0.0 && level < 100.0 && draws > 0);
  const std::size_t n = hits.size();
  if (n == 0) return {kNone, kNone};
  const std::size_t length = std::clamp<std::size_t>(block, 1, n);
  // Sums up to each window of the circle gone round twice: a block is one difference.
  std::vector<double> sums(2 * n + 1, 0.0);
  for (std::size_t i = 0; i < 2 * n; ++i) sums[i + 1] = sums[i] + hits[i % n];
  std::vector<double> means(draws);
  for (std::size_t d = 0; d < draws; ++d) {
    double sum = 0.0;
    std::uint32_t number = 0;
    for (std::size_t done = 0; done < n; ++number) {
      const std::size_t some = std::min(length, n - done);
      const std::size_t begin = draw_below(n, static_cast<std::uint32_t>(d), number);
      sum += sums[begin + some] - sums[begin];
      done += some;
    }
    means[d] = sum / static_cast<double>(n);
  }
  std::ranges::sort(means);
  const double tail = 0.5 * (1.0 - level / 100.0);
  const auto at = [&](double share) {
    return means[static_cast<std::size_t>(std::lround(share * static_cast<double>(draws - 1)))];
  };
  return {at(tail), at(1.0 - tail)};
}

}  // namespace pulsecast
