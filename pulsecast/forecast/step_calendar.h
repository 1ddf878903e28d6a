// What the calendar says of each step, remembered: the wall clock of a zone costs more to ask than
// a step costs to forecast, and the next forecast asks for nearly the same steps again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pulsecast/calendar/features.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

class StepCalendar {
 public:
  struct Entry {
    Instant stamp;
    std::uint64_t number = 0;  // steps with the same features share it
    std::int32_t phase = 0;    // by the stamp
    std::array<float, kMostFeatures> features{};
  };

  StepCalendar(std::vector<CalendarFeature> features, Step step, Zone zone, std::int32_t period);

  // Good until the next call.
  const Entry& at(Instant stamp);

 private:
  static constexpr std::size_t kPlaces = 4096;

  std::vector<CalendarFeature> features_;
  Step step_;
  Zone zone_;
  std::int32_t period_;
  std::int64_t place_milliseconds_;  // steps this far apart have places of their own
  std::vector<Entry> entries_;       // by place, the newest step of each
};

}  // namespace pulsecast
