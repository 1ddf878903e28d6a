// Stamps of many rows in little memory: stamps as written, and instants (base/packed_integers.h).
#pragma once

#include "pulsecast/base/packed_integers.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/stamp.h"

namespace pulsecast {

template <>
struct AsInteger<Instant> {
  static std::int64_t to(Instant instant) { return instant.milliseconds; }
  static Instant from(std::int64_t milliseconds) { return {milliseconds}; }
};

using PackedInstants = PackedRows<Instant>;

// A stamp is two integers: day and form, and the time of the day.
class PackedStamps {
 public:
  std::size_t size() const { return times_.size(); }
  Stamp operator[](std::size_t row) const;
  void push_back(const Stamp& stamp);

 private:
  PackedIntegers dates_;
  PackedIntegers times_;
};

}  // namespace pulsecast
