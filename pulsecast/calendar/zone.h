// Time zones by their IANA names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/calendar/instant.h"

namespace date {
class time_zone;
}

namespace pulsecast {

// A cheap value: UTC, or a zone of the system's database, safe to use from many threads. Days of
// 23 and 25 hours, and the repeated autumn hour, are what the database says they are; it lists
// clock changes up to the year 2037, and the last offset holds after that.
class Zone {
 public:
  // UTC, which is also how a wall clock without a zone is read.
  Zone() = default;
  // "Europe/Berlin". Throws Error(kUsage) that names near misses when there is no such zone, and
  // Error(kInputOutput) when the system has no database of zones.
  static Zone named(std::string_view iana_name);

  // Every zone of the system's database. Throws Error(kInputOutput) when there is none.
  static std::vector<std::string> names();

  // "UTC" or the IANA name.
  std::string name() const;
  bool is_utc() const { return zone_ == nullptr; }

  // Throws Error(kUsage) outside kEarliestInstant .. kLatestInstant.
  WallTime to_wall(Instant instant) const;

  // The instants at which the wall clock shows `wall` (its weekday and day_of_year are not read):
  // one as a rule, two in the repeated hour (earlier first), none in the hour that is skipped.
  struct Instants {
    int count = 0;
    Instant first;
    Instant second;
  };
  Instants to_instants(const WallTime& wall) const;

  friend bool operator==(const Zone&, const Zone&) = default;

 private:
  const date::time_zone* zone_ = nullptr;
};

}  // namespace pulsecast
