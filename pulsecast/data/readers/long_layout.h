// Whether the rows of a file are those of many series, which its header does not say.
//
// `store, day, sales` is a row a store and day. Read as columns side by side its stamps repeat, and
// to take means of them would average the stores. So where stamps repeat, a column of text (or of
// few whole numbers) is looked for that tells the rows of a stamp apart; failing that, two columns
// together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/labels.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct LongLayout {
  std::vector<std::size_t> labels;   // those that name a series, or
  std::vector<std::string> numbers;  // columns of whole numbers that do, alone or with the labels
  std::vector<std::string> values;   // targets that are not the same in every row of a series
  bool is_certain = false;           // labels alone name series, and one column holds the values
};

// stamps (rows) as written; the columns of `table` have their values and roles, one per row.
std::optional<LongLayout> find_long_layout(const PackedStamps& stamps,
                                           const std::vector<LabelColumn>& labels,
                                           const Table& table);

}  // namespace pulsecast
