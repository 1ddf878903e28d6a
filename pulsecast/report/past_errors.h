// How far past forecasts were off, by how far ahead they looked, by the hour of the day and by the
// month.
//
// Sums of absolute errors, added in the order in which forecasts come; nothing else is kept of
// them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast::report {

class PastErrors {
 public:
  explicit PastErrors(std::size_t horizon)
      : by_step_(horizon), by_hour_(kHours), by_month_(kMonths) {}

  // (H) each; where a truth is missing, it is not scored.
  void add(std::span<const Instant> stamps, const Zone& zone, std::span<const double> forecast,
           std::span<const double> truth);

  // Mean absolute errors; NaN where nothing was scored.
  std::vector<double> by_step() const { return means(by_step_); }
  std::vector<double> by_hour() const { return means(by_hour_); }    // 0 .. 23
  std::vector<double> by_month() const { return means(by_month_); }  // January first

 private:
  static constexpr std::size_t kHours = 24;
  static constexpr std::size_t kMonths = 12;
  struct Sum {
    double error = 0.0;
    std::size_t count = 0;
  };
  static std::vector<double> means(const std::vector<Sum>& sums);

  std::vector<Sum> by_step_;
  std::vector<Sum> by_hour_;
  std::vector<Sum> by_month_;
};

}  // namespace pulsecast::report
