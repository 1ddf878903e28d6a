#include "pulsecast/data/table/wall_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/data/table/table_step.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kLongestChange = 2 * kHour;
// Of the hours that repeat, or of the short gaps, this share must be the clock's doing.
constexpr double kExplained = 0.8;
constexpr std::size_t kMostRemedies = 3;

// Of many zones with the same clocks these are named first.
constexpr std::array kWellKnown = {
    "Europe/Berlin",       "Europe/Paris",        "Europe/Madrid",      "Europe/London",
    "Europe/Dublin",       "Europe/Lisbon",       "Europe/Helsinki",    "Europe/Athens",
    "America/New_York",    "America/Toronto",     "America/Chicago",    "America/Denver",
    "America/Los_Angeles", "America/Halifax",     "America/Sao_Paulo",  "America/Santiago",
    "Australia/Sydney",    "Australia/Melbourne", "Australia/Adelaide", "Pacific/Auckland",
    "Asia/Jerusalem",      "Africa/Cairo"};

Instant later(Instant instant, std::int64_t milliseconds) {
  return {instant.milliseconds + milliseconds};
}

// What the rows say of a clock: times that come twice and times that are missing, one a run.
struct Evidence {
  std::vector<Instant> repeated;
  std::vector<Instant> missing;
};

Evidence evidence_of(const Table& table, const std::vector<std::uint32_t>& rows,
                     std::int64_t step) {
  Evidence evidence;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Instant before = table.stamps[rows[i - 1]];
    const Instant now = table.stamps[rows[i]];
    const std::int64_t distance = now.milliseconds - before.milliseconds;
    if (distance <= 0 && distance > -kLongestChange) evidence.repeated.push_back(now);
    if (distance > step && distance - step <= kLongestChange) {
      evidence.missing.push_back(later(before, step));
    }
  }
  return evidence;
}

std::vector<Instant> of_count(const std::vector<Instant>& shown, const Zone& zone, int count) {
  std::vector<Instant> found;
  for (const Instant instant : shown) {
    if (zone.to_instants(Zone().to_wall(instant)).count == count) found.push_back(instant);
  }
  return found;
}

bool shows_every_row(const Table& table, const std::vector<std::uint32_t>& rows, const Zone& zone) {
  return std::ranges::none_of(rows, [&](std::uint32_t row) {
    return zone.to_instants(Zone().to_wall(table.stamps[row])).count == 0;
  });
}

// The well-known first, then by name.
std::vector<std::string> zone_names() {
  std::vector<std::string> names(kWellKnown.begin(), kWellKnown.end());
  for (const std::string& name : Zone::names()) {
    const bool is_region = name.find('/') != std::string::npos && !name.starts_with("Etc/") &&
                           !name.starts_with("SystemV/");
    if (is_region && std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return names;
}

std::optional<Zone> zone_of(const std::string& name) {
  try {
    return Zone::named(name);
  } catch (const Error&) {
    return std::nullopt;  // not in this system's database
  }
}

}  // namespace

std::optional<WallClock> find_wall_clock(const Table& table) {
  if (!table.shows_wall_clock || table.likely_long) return std::nullopt;
  const std::vector<SeriesRows> all = rows_by_series(table);
  const auto longest = std::ranges::max_element(
      all, {}, [](const SeriesRows& series) { return series.rows.size(); });
  const std::optional<Frequency> frequency = step_of(table, all);
  if (!frequency || frequency->step.unit() != Step::Unit::kMillisecond) return std::nullopt;
  const std::int64_t step = frequency->step.count();
  if (step > kHour) return std::nullopt;
  const Evidence evidence = evidence_of(table, longest->rows, step);
  if (evidence.repeated.empty() && evidence.missing.empty()) return std::nullopt;

  WallClock clock;
  std::size_t most = 0;
  for (const std::string& name : zone_names()) {
    const std::optional<Zone> zone = zone_of(name);
    if (!zone) continue;
    std::vector<Instant> repeated = of_count(evidence.repeated, *zone, 2);
    std::vector<Instant> skipped = of_count(evidence.missing, *zone, 0);
    const std::size_t score = repeated.size() + skipped.size();
    const bool explains =
        double(repeated.size()) >= kExplained * double(evidence.repeated.size()) &&
        (!repeated.empty() ||
         double(skipped.size()) >= kExplained * double(evidence.missing.size()));
    if (score == 0 || score < most || !explains) continue;
    if (!shows_every_row(table, longest->rows, *zone)) continue;
    if (score > most) clock = {{}, std::move(repeated), std::move(skipped)};
    most = score;
    clock.zones.push_back(name);
  }
  if (clock.zones.empty()) return std::nullopt;
  return clock;
}

Table in_zone(Table table, const std::string& zone) {
  table.zone = Zone::named(zone);
  std::vector<std::optional<Instant>> before(std::max<std::size_t>(1, table.series_names.size()));
  PackedInstants placed;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::uint32_t series = table.series.empty() ? 0 : table.series[row];
    const Instant shown = table.stamps[row];
    placed.push_back(next_on_wall_clock(table.zone, shown, before[series]).value_or(shown));
  }
  table.stamps = std::move(placed);
  return table;
}

std::vector<Remedy> zone_remedies(const WallClock& clock) {
  std::vector<Remedy> remedies;
  for (const std::string& zone : clock.zones) {
    const std::size_t others = clock.zones.size() - kMostRemedies;
    const bool is_last = remedies.size() + 1 == kMostRemedies;
    remedies.push_back(remedy::set(
        "time-zone", zone,
        clock.zones.size() > kMostRemedies && is_last
            ? fmt::format("reads stamps by the clocks there; {} zones more fit the rows", others)
            : "reads stamps by the clocks there"));
    if (is_last) break;
  }
  return remedies;
}

}  // namespace pulsecast
