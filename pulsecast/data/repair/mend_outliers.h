// What the setting 'outliers' asks for, done to a table's values.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/data/series/series_rows.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// Rows are in order of time. What was done is added to `repairs`, a line a channel.
void mend_outliers(Table& table, const std::vector<SeriesRows>& all, Outliers outliers,
                   std::vector<std::string>& repairs);

}  // namespace pulsecast
