#include "pulsecast/calendar/zone.h"

#include <date/date.h>
#include <date/tz.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <fstream>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

using std::chrono::milliseconds;
using SystemTime = date::sys_time<milliseconds>;
using LocalTime = date::local_time<milliseconds>;

[[noreturn]] void refuse_database(const char* reason) {
  throw_error(ErrorKind::kInputOutput, "time zone database",
              "cannot be read ({}). Install the package tzdata.", reason);
}

const std::vector<date::time_zone>& database() {
  try {
    const std::vector<date::time_zone>& zones = date::get_tzdb().zones;
    if (!zones.empty()) return zones;
  } catch (const std::exception& error) {
    refuse_database(error.what());
  }
  refuse_database("it has no zones");
}

// Whether the date library can be trusted with the zone's file: it asserts what it should check,
// and a damaged file would end the program. A file elsewhere than on Linux is not looked at.
bool begins_as_zone_file(const std::string& name) {
  std::ifstream stream("/usr/share/zoneinfo/" + name, std::ios::binary);
  if (!stream) return true;
  // "TZif", a version, 15 bytes that are kept free, and six counts of what follows; from version 2
  // on all of it comes a second time, with longer numbers.
  constexpr std::streamoff kHeader = 44;
  std::array<unsigned char, kHeader> header{};
  const auto reads_header = [&] {
    stream.read(reinterpret_cast<char*>(header.data()), kHeader);
    return stream.gcount() == kHeader && std::equal(header.begin(), header.begin() + 4, "TZif");
  };
  if (!reads_header()) return false;
  if (header[4] == 0) return true;
  const auto count = [&](std::size_t at) {
    return static_cast<std::streamoff>(header[at]) << 24 | header[at + 1] << 16 |
           header[at + 2] << 8 | header[at + 3];
  };
  stream.seekg(count(20) + count(24) + 8 * count(28) + 5 * count(32) + 6 * count(36) + count(40),
               std::ios::cur);
  return reads_header();
}

// The library reads a zone's file when it is first asked about it: here, where a fault has a name.
void load(const date::time_zone& zone) {
  const auto refuse = [&](const char* reason) {
    throw_error(ErrorKind::kInputOutput, "time zone database",
                "the file of '{}' is damaged ({}). Install the package tzdata again.", zone.name(),
                reason);
  };
  if (!begins_as_zone_file(zone.name())) refuse("it does not begin as such a file");
  try {
    zone.get_info(SystemTime{});
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

// The names closest to what was asked for: by the whole name, else by the city alone ("berlin"
// means Europe/Berlin).
std::vector<std::string> near_zones(std::string_view asked) {
  std::vector<std::string> names;
  std::vector<std::string> cities;
  for (const date::time_zone& zone : database()) {
    names.push_back(zone.name());
    cities.push_back(zone.name().substr(zone.name().rfind('/') + 1));
  }
  const std::vector<std::string> near = near_misses(asked, names);
  if (!near.empty()) return near;
  std::vector<std::string> found;
  for (const std::string& city : near_misses(asked, cities)) {
    const auto place = std::find(cities.begin(), cities.end(), city);
    found.push_back(names[static_cast<std::size_t>(place - cities.begin())]);
  }
  return found;
}

bool means_utc(std::string_view name) {
  return name == "UTC" || name == "Etc/UTC" || name == "Z" || name == "utc";
}

void require_calendar_range(Instant instant) {
  if (instant < kEarliestInstant || instant > kLatestInstant) {
    throw_error(ErrorKind::kUsage, "time zone",
                "an instant of {} ms since 1970 lies outside the years 1 to 9999 that the calendar "
                "covers",
                instant.milliseconds);
  }
}

WallTime split(LocalTime local) {
  const auto day = date::floor<date::days>(local);
  const date::year_month_day ymd(day);
  const date::hh_mm_ss<milliseconds> clock(local - day);
  const auto new_year = date::local_days(ymd.year() / date::January / 1);
  WallTime wall;
  wall.year = static_cast<int>(ymd.year());
  wall.month = static_cast<std::int32_t>(static_cast<unsigned>(ymd.month()));
  wall.day = static_cast<std::int32_t>(static_cast<unsigned>(ymd.day()));
  wall.hour = static_cast<std::int32_t>(clock.hours().count());
  wall.minute = static_cast<std::int32_t>(clock.minutes().count());
  wall.second = static_cast<std::int32_t>(clock.seconds().count());
  wall.millisecond = static_cast<std::int32_t>(clock.subseconds().count());
  wall.weekday = static_cast<std::int32_t>(date::weekday(day).iso_encoding()) - 1;
  wall.day_of_year = static_cast<std::int32_t>((day - new_year).count()) + 1;
  return wall;
}

LocalTime join(const WallTime& wall) {
  const auto day = date::local_days(date::year(wall.year) / static_cast<unsigned>(wall.month) /
                                    static_cast<unsigned>(wall.day));
  return day + std::chrono::hours(wall.hour) + std::chrono::minutes(wall.minute) +
         std::chrono::seconds(wall.second) + milliseconds(wall.millisecond);
}

Instant shifted(LocalTime local, std::chrono::seconds offset) {
  return {(local.time_since_epoch() - offset).count()};
}

}  // namespace

std::vector<std::string> Zone::names() {
  std::vector<std::string> names;
  for (const date::time_zone& zone : database()) names.push_back(zone.name());
  return names;
}

Zone Zone::named(std::string_view iana_name) {
  Zone result;
  if (means_utc(iana_name)) return result;
  const auto& zones = database();
  const auto found = std::find_if(zones.begin(), zones.end(), [&](const date::time_zone& zone) {
    return zone.name() == iana_name;
  });
  if (found == zones.end()) {
    const std::vector<std::string> near = near_zones(iana_name.substr(0, 64));
    throw_error(ErrorKind::kUsage, "time zone",
                "'{}' is not a zone of the IANA database.{} Expected a name such as "
                "'Europe/Berlin' or 'UTC'.",
                iana_name.substr(0, 64),
                near.empty() ? "" : fmt::format(" Did you mean {}?", fmt::join(near, ", ")));
  }
  load(*found);
  result.zone_ = &*found;
  return result;
}

std::string Zone::name() const { return zone_ == nullptr ? "UTC" : zone_->name(); }

WallTime Zone::to_wall(Instant instant) const {
  require_calendar_range(instant);
  const SystemTime time{milliseconds(instant.milliseconds)};
  if (zone_ == nullptr) return split(LocalTime(time.time_since_epoch()));
  return split(LocalTime(time.time_since_epoch() + zone_->get_info(time).offset));
}

Zone::Instants Zone::to_instants(const WallTime& wall) const {
  const LocalTime local = join(wall);
  if (zone_ == nullptr) return {1, {local.time_since_epoch().count()}, {}};
  const date::local_info info = zone_->get_info(local);
  switch (info.result) {
    case date::local_info::nonexistent:
      return {};
    case date::local_info::ambiguous:
      return {2, shifted(local, info.first.offset), shifted(local, info.second.offset)};
    default:
      return {1, shifted(local, info.first.offset), {}};
  }
}

}  // namespace pulsecast
