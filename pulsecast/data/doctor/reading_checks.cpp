// Files whose rows are whole but were read as something else than they are.
#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/checks.h"
#include "pulsecast/data/repair/repair_remedies.h"

namespace pulsecast {

void check_layout(const Table& table, std::vector<Finding>& findings) {
  const LongColumns& columns = *table.likely_long;
  findings.push_back({Finding::Kind::kManySeries, "", columns.id, table.lines.front(),
                      table.lines.back(), table.rows(),
                      fmt::format("stamps repeat, once for each value of '{}'", columns.id), "",
                      layout_remedies(columns)});
}

void check_clock(const Table& table, const WallClock& clock, std::vector<Finding>& findings) {
  const auto add = [&](Instant shown, const char* what) {
    // The row that shows it, or the first after it.
    std::size_t row = 0;
    while (row + 1 < table.rows() && table.stamps[row] < shown) ++row;
    findings.push_back({Finding::Kind::kClockChange, "", "", table.lines[row], table.lines[row], 1,
                        fmt::format("{} {}, as on the clocks of {}", to_text(shown, table.zone),
                                    what, clock.zones.front()),
                        "", zone_remedies(clock)});
  };
  for (const Instant shown : clock.repeated) add(shown, "comes twice");
  for (const Instant shown : clock.skipped) add(shown, "is missing");
}

}  // namespace pulsecast
