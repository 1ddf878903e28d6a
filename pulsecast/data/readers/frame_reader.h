// Rows in memory to a Table, as if they had been read from a file.
#pragma once

#include "pulsecast/data/table/frame.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// A row's "line" is its number, counted from 1. Settings about text (separator, decimal, columns of
// stamps and ids) have nothing to say here. Throws Error(kUsage) where columns differ in length or
// settings name columns that are not there, Error(kData) where there is no row.
Table read_frame(const Frame& frame, const DataSettings& settings);

}  // namespace pulsecast
