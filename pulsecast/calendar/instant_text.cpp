#include "pulsecast/calendar/instant_text.h"

#include <fmt/format.h>

namespace pulsecast {
namespace {

std::string clock_text(const WallTime& wall, char between) {
  std::string text = fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}", wall.year, wall.month,
                                 wall.day, between, wall.hour, wall.minute, wall.second);
  if (wall.millisecond != 0) text += fmt::format(".{:03}", wall.millisecond);
  return text;
}

}  // namespace

std::string to_text(Instant instant, const Zone& zone) {
  return clock_text(zone.to_wall(instant), ' ');
}

std::string to_iso_text(Instant instant, const Zone& zone) {
  const WallTime wall = zone.to_wall(instant);
  const std::int64_t shown = Zone().to_instants(wall).first.milliseconds;
  const std::int64_t seconds = (shown - instant.milliseconds) / 1000;
  if (seconds == 0) return clock_text(wall, 'T') + "Z";
  const std::int64_t size = seconds < 0 ? -seconds : seconds;
  std::string text = clock_text(wall, 'T') + fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+',
                                                         size / 3600, size / 60 % 60);
  // Local mean times of the nineteenth century have seconds in their offsets.
  if (size % 60 != 0) text += fmt::format(":{:02}", size % 60);
  return text;
}

}  // namespace pulsecast
