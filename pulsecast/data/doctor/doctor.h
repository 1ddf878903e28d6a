// Reads a table and lists everything that is wrong with it, every fault with its place.
//
// The checks are files, each with one idea: row_checks (lines, order, duplicates), step_checks
// (gaps, uneven and changing steps), cell_checks (empty, unreadable, infinite), value_checks
// (codes, outliers, stuck sensors, units), column_checks (text, constant, dead, too short).
// remedies.h then says what each repair would do. Nothing is changed here: repair/repair.h does
// what the settings ask for, and refuses the rest.
#pragma once

#include "pulsecast/data/doctor/diagnosis.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

// Of the settings it reads look-back, horizon and step.
Diagnosis examine(const Table& table, const DataSettings& settings);

}  // namespace pulsecast
