// Some rows of a series as a series of its own.
#pragma once

#include "pulsecast/data/series/series.h"

namespace pulsecast {

// rows within the series. Of a long table, channels that have no value in them are left out: a
// series that had not begun then was not there.
Series slice(const Series& series, RowRange rows);

}  // namespace pulsecast
