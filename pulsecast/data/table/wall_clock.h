// A wall clock behind stamps that name no zone.
//
// Clocks that go back in autumn show an hour twice, and those that go forward in spring skip one.
// Rows that repeat or lack just these hours are no faulty rows: they want their zone. To sort them
// and take means would mend nothing and lose an hour a year.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/base/remedy.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct WallClock {
  std::vector<std::string> zones;  // whose clocks fit all rows, the best known first
  std::vector<Instant> repeated;   // what the clock shows twice, first of each run, as if UTC
  std::vector<Instant> skipped;    // what it never shows
};

// Nothing where stamps have a zone, or no zone's clocks explain what repeats and is missing.
std::optional<WallClock> find_wall_clock(const Table& table);

// The same rows with their stamps read in a zone.
Table in_zone(Table table, const std::string& zone);

// A setting for each of the best known zones that fit.
std::vector<Remedy> zone_remedies(const WallClock& clock);

}  // namespace pulsecast
