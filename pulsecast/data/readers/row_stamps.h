// The stamps of a table's rows, from what was written: decided over the whole column, with rows
// whose stamp cannot be read taken out and listed.
#pragma once

#include "pulsecast/calendar/packed_stamps.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// stamps (rows), in the order of table.lines. Fills table.stamps, and notes what was decided; rows
// with a fault move from the table to its row_faults. Throws Error(kData) where the column can be
// read in more than one way or in none.
void place_rows_in_time(PackedStamps stamps, const DataSettings& settings, Table& table);

}  // namespace pulsecast
