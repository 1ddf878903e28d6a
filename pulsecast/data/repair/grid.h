// An even grid of steps, and the place of a stamp on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

class TimeGrid {
 public:
  // Slot 0 is `anchor`.
  TimeGrid(Instant anchor, const Step& step, const Zone& zone)
      : anchor_(anchor), step_(step), zone_(zone) {}

  // The slot whose stamp this is, nothing for a stamp between two. With steps of months, the last
  // day of any month goes with an anchor on a last day.
  std::optional<std::int64_t> slot_at(Instant stamp) const;

  // The slot that the stamp falls into: the last one not after it.
  std::int64_t slot_around(Instant stamp) const { return step_.between(anchor_, stamp, zone_); }

  Instant stamp_of(std::int64_t slot) const { return step_.add(anchor_, slot, zone_); }

 private:
  std::optional<std::int64_t> month_slot_at(Instant stamp) const;

  Instant anchor_;
  Step step_;
  Zone zone_;
};

// Where the steps of a resampled grid begin: on the wall clock's midnight, Monday or first of the
// month at or before `first`, so that hours are whole hours whenever the rows begin.
Instant round_anchor(Instant first, const Step& step, const Zone& zone);

}  // namespace pulsecast
