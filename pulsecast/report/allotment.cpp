#include "pulsecast/report/allotment.h"

#include <algorithm>

namespace pulsecast::report {
namespace {

constexpr std::size_t kMostOrigins = 48, kFewestOrigins = 4;
constexpr std::size_t kMostHistory = 6000, kFewestHistory = 300;
constexpr std::size_t kMostScored = 240;
constexpr std::size_t kErrorLines = 3;  // model, naive, seasonal naive
constexpr std::size_t kHoursAndMonths = 24 + 12;
constexpr std::size_t kList = 20;  // the names and bounds of a list take as much as so many values

// Of one channel.
std::size_t values_of(const Allotment& shown) {
  const std::size_t lines = 1 + 2 * shown.bands;
  const std::size_t forecast = lines * shown.horizon;
  const std::size_t past =
      shown.origins * (shown.past_history + shown.horizon + lines * shown.horizon);
  const std::size_t inside = 2 * shown.lookback + 4 * shown.horizon;
  const std::size_t errors = kErrorLines * (shown.horizon + kHoursAndMonths);
  const std::size_t lists = 1 + lines + shown.origins * (1 + lines) + 5 + 3 * kErrorLines;
  return shown.history + forecast + past + inside + errors + kList * lists;
}

}  // namespace

std::size_t Allotment::values() const { return channels * values_of(*this); }

Allotment allot(const Extents& extents) {
  Allotment shown;
  shown.horizon = extents.horizon;
  shown.lookback = extents.lookback;
  shown.bands = extents.bands;
  shown.channels = extents.channels;
  shown.past_history = std::min(extents.lookback, std::max<std::size_t>(extents.horizon, 24));
  shown.scored_origins = std::min(extents.origins, kMostScored);
  // First the least of each for every channel; where that is too much fewer ranges, then fewer
  // channels; then more of each where there is room.
  shown.history = std::min(extents.rows, kFewestHistory);
  shown.origins = std::min(extents.origins, kFewestOrigins);
  while (shown.bands > 0 && shown.values() > kPageValues) --shown.bands;
  shown.channels =
      std::max<std::size_t>(1, std::min(extents.channels, kPageValues / values_of(shown)));
  while (shown.origins < std::min(extents.origins, kMostOrigins)) {
    Allotment more = shown;
    ++more.origins;
    if (more.values() > kPageValues * 2 / 3) break;
    shown = more;
  }
  const std::size_t rest = kPageValues - std::min(kPageValues, shown.values());
  shown.history = std::min({extents.rows, kMostHistory, shown.history + rest / shown.channels});
  return shown;
}

}  // namespace pulsecast::report
