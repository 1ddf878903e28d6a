// Table to Series: what the settings ask for is mended, what they do not ask for is refused.
//
// The order is fixed: columns dropped, lines that are no rows, order, outliers, duplicates, grid
// (or resampling), then gaps. Each refusal is Error(kData) with the first place, how many there are
// and the flag that mends it; each repair that was made is listed, so that nothing happens in
// silence.
//
// Missing is counted per channel. The rows before a long series begins and after it ends are not
// missing, and neither are targets in rows where known columns have run ahead: a long series has
// no values outside its own rows, targets ahead of theirs stay NaN.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/data/series/series.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

struct Repaired {
  Series series;
  std::vector<std::string> repairs;  // "8040 cells filled with a straight line"
  bool is_long = false;              // the table had a row per series and stamp
  FoundReading found = {};
};

// Of a long table each series is a channel, named after it; further columns of a series are named
// "series/column". Throws Error(kUsage) when settings name columns that are not there.
Repaired repair(Table table, const DataSettings& settings);

}  // namespace pulsecast
