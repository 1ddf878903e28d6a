// Columns in memory to a Table, as if a file had been read whose header has their names.
//
// Settings say what each column is, and what they leave open is found as in a file: the column of
// stamps, whether rows are long, which columns name series. What differs is that types are known:
// numbers are not read as text, and stamps that carry a zone are instants of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pulsecast/base/watch.h"
#include "pulsecast/data/readers/typed_column.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

using TypedColumns = std::vector<std::unique_ptr<TypedColumn>>;

// `watch` may cancel before each column. A row's "line" is its number, counted from 1. Throws
// Error(kUsage) where columns differ in length, two have one name, or settings name columns that
// are not there; Error(kData) where there is no row, and where a column that is wanted has a type
// that cannot be read.
Table read_columns(const TypedColumns& columns, const std::string& source,
                   const DataSettings& settings, const Watch& watch = {});

}  // namespace pulsecast
