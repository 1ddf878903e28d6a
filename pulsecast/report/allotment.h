// How much of a model and its rows a page shows, so that it stays small however large they are.
#pragma once

#include <cstddef>

namespace pulsecast::report {

// What there is to show.
struct Extents {
  std::size_t channels = 1;  // targets; of a panel series
  std::size_t rows = 0;
  std::size_t lookback = 0;
  std::size_t horizon = 0;
  std::size_t bands = 0;    // ranges around a forecast
  std::size_t origins = 0;  // from which past forecasts can be made
};

// What is shown. All values together take no more than kPageValues, 2.7 bytes each.
struct Allotment {
  std::size_t channels = 0;        // that have charts
  std::size_t history = 0;         // points of each one's history
  std::size_t origins = 0;         // past forecasts of each, to leaf through
  std::size_t past_history = 0;    // rows before each of these
  std::size_t scored_origins = 0;  // past forecasts that errors by hour and month are of
  std::size_t values() const;

  std::size_t horizon = 0;
  std::size_t lookback = 0;
  std::size_t bands = 0;
};

inline constexpr std::size_t kPageValues = 630'000;

Allotment allot(const Extents& extents);

}  // namespace pulsecast::report
