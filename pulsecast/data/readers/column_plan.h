// What each column of a delimited file is: the stamps, the names of series, a channel, or nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pulsecast/data/readers/dialect.h"
#include "pulsecast/data/readers/header.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

struct ColumnPlan {
  enum class Use : std::uint8_t { kValue, kTime, kId, kSkip };
  std::vector<Use> uses;        // one per column of the file
  std::vector<Column> columns;  // those with Use::kValue, in the file's order; no values yet
  bool has_time = false;
  bool is_long = false;
  std::vector<std::string> notes;
};

// `sample` holds the records of the head, the header among them. The time column is the one that
// the settings name, else one that is named like time and holds stamps, else the first that holds
// stamps. Throws Error(kData) when there is none and no start is given, and Error(kUsage) when the
// settings name columns that are not there or give one of them two roles.
ColumnPlan plan_columns(const Header& header, const Sample& sample, const DataSettings& settings,
                        const std::string& source);

// The same of columns whose stamps, and names of series where they are long, are known apart: none
// of `names` is those. Of long rows the targets are those that the settings name, else the value
// column, else the only one.
ColumnPlan plan_value_columns(const std::vector<std::string>& names, bool is_long,
                              const DataSettings& settings, const std::string& source);

}  // namespace pulsecast
