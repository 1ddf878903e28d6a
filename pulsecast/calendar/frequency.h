// The step that a list of stamps was made with.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

struct Frequency {
  Step step;
  std::size_t agreeing = 0;   // neighbours that lie exactly one step apart
  std::size_t intervals = 0;  // neighbours in all, those with equal stamps left out

  double agreement() const {
    return intervals == 0 ? 0.0 : static_cast<double>(agreeing) / static_cast<double>(intervals);
  }
};

// The dominant step, or nothing where no two stamps differ. Stamps may be in any order; their
// order in time is what counts. Calendar steps win where they explain as much as a fixed one: days
// whose clock time stays the same across a change of clocks, months with the same day, or always
// their last; days without any weekend, of more than one week, are business days.
std::optional<Frequency> infer_frequency(std::span<const Instant> stamps, const Zone& zone);

}  // namespace pulsecast
