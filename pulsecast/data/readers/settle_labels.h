// What becomes of a file's columns of text, once all of it is read: names of series, numbers after
// all, or text that no forecast can use.
#pragma once

#include <vector>

#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/column_plan.h"
#include "pulsecast/data/readers/labels.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// stamps and labels have one element per row of the table, whose lines, columns and faults are
// there. Adds series, text columns, notes and what was found of the layout.
void settle_labels(std::vector<LabelColumn> labels, const PackedStamps& stamps,
                   const ColumnPlan& plan, const DataSettings& settings, char decimal,
                   Table& table);

}  // namespace pulsecast
