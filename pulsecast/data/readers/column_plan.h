// What each column of a delimited file is: the stamps, the names of series, a channel, or nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/readers/dialect.h"
#include "pulsecast/data/readers/header.h"
#include "pulsecast/data/readers/time_columns.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

struct ColumnPlan {
  enum class Use : std::uint8_t { kValue, kTime, kTimePart, kLabel, kSkip };
  std::vector<Use> uses;             // one per column of the file
  std::vector<Column> columns;       // those with Use::kValue, in the file's order; no values yet
  std::vector<std::string> labels;   // names of those with Use::kLabel, in the file's order
  std::vector<TimePart> time_parts;  // those with Use::kTimePart, in the order of a stamp's text
  bool has_time = false;
  bool is_long = false;
  std::vector<std::size_t> ids;      // of a long file: the labels that name a series together
  std::vector<std::size_t> statics;  // the labels that say one thing of a series
  // Of several columns that hold stamps, the one that was taken.
  std::optional<std::string> found_time;
  std::vector<std::string> unread;  // of a wide file: columns of numbers without a role
  std::vector<std::string> notes;
};

// `sample` holds the records of the head, the header among them. The time column is the one that
// the settings name, else time_columns.h finds it. Columns of text without a role are labels:
// whether one of them names series, only the whole file can say (long_layout.h). A first column
// without a name that counts the rows is left out. Throws Error(kData) when there are no stamps and
// no start is given, and Error(kUsage) when the settings name columns that are not there or give
// one of them two roles.
ColumnPlan plan_columns(const Header& header, const Sample& sample, const DataSettings& settings,
                        const std::string& source);

// The same of columns whose stamps, and names of series where they are long, are known apart: none
// of `names` is those. Of long rows the targets are those that the settings name, else the value
// column, else the only one.
ColumnPlan plan_value_columns(const std::vector<std::string>& names, bool is_long,
                              const DataSettings& settings, const std::string& source);

}  // namespace pulsecast
