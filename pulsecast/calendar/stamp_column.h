// From stamps as written to instants: what only the whole column can decide.
//
//   day or month first   by the rows that can be read one way alone; a column without such a row
//                        is refused, and one with both kinds too
//   seconds or           by size: numbers of a file's age lie a factor of thousand apart
//   milliseconds
//   repeated hour        in autumn a wall clock shows one hour twice. In file order the first
//                        02:30 is the earlier instant and the next one the later: no duplicate
//   skipped hour         in spring a wall clock jumps over an hour; a row that claims it is a fault
//
// A row that does not go with the rest of its column (another form, an offset missing) is a fault
// of that row; what leaves the meaning of the whole column open throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/base/place.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/packed_stamps.h"
#include "pulsecast/calendar/stamp.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

struct StampRules {
  Zone zone;                      // of stamps without an offset
  std::optional<bool> day_first;  // unset: decided by the column
};

struct StampFault {
  enum class Kind { kEmpty, kUnreadable, kSkippedHour };
  std::size_t row;
  Kind kind;
  std::string cause;  // a clause: "the clocks of Europe/Berlin skip 2024-03-31 02:30"
};

struct StampColumn {
  PackedInstants instants;         // one per row; of a row with a fault it means nothing
  std::vector<StampFault> faults;  // by row
  std::string form;                // what was decided: "day first", "seconds since 1970"
  bool has_offsets = false;
  bool shows_wall_clock = false;  // neither offsets nor seconds: a zone says which instants
  std::size_t cut_rows = 0;       // rows with digits finer than a millisecond, which were left off
};

// `series` says which series a row belongs to (order matters inside a series alone); empty when
// there is only one. `where` is the place of a row, for messages. Throws Error(kData) when the
// column can be read in more than one way or in none.
StampColumn decide_stamps(const PackedStamps& stamps, const PackedRows<std::uint32_t>& series,
                          const StampRules& rules,
                          const std::function<Place(std::size_t row)>& where);
// The same of one series.
StampColumn decide_stamps(std::span<const Stamp> stamps, const StampRules& rules,
                          const std::function<Place(std::size_t row)>& where);

// The instant at which a zone's clock shows what it shows in the next row, given as if it were UTC:
// where it shows that twice, the earlier one, unless `before`, the row before, has got that far
// already. Nothing where it never shows it. `before` becomes the instant.
std::optional<Instant> next_on_wall_clock(const Zone& zone, Instant shown,
                                          std::optional<Instant>& before);

// One stamp alone, as somebody gave it at `place`. Throws Error(kUsage).
Instant read_instant(std::string_view text, const Zone& zone, const Place& place);

}  // namespace pulsecast
