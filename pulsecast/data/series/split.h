// Which rows are for training, validation and test.
//
// The three follow each other in time and do not overlap. Windows of validation and test reach
// back for their history, so that their first target is the first row of their part.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

struct Split {
  RowRange train;
  RowRange validation;
  RowRange test;

  friend bool operator==(const Split&, const Split&) = default;
};

// floor(train * rows) and floor(test * rows) rows, validation the rest. The shares must be above
// zero (validation may be zero) and add up to 1.
Split split_by_shares(std::size_t rows, double train, double validation, double test);

// That many rows from the first on; what is left of the file is not used.
Split split_by_counts(std::size_t rows, std::size_t train, std::size_t validation,
                      std::size_t test);

// Validation and test begin at the first stamp that is not before these. The zone is for messages.
Split split_by_dates(std::span<const Instant> stamps, Instant validation, Instant test,
                     const Zone& zone);

// Reads the setting: "0.7,0.1,0.2", "8640,2880,2880", "2017-07-01,2017-11-01 12:00" or the name of
// a dataset of the paper, whose protocol is taken. Throws Error(kUsage) where it is none of these,
// Error(kData) where the rows do not allow it.
Split parse_split(std::string_view text, std::span<const Instant> stamps, const Zone& zone);

// The same of the rows of a series that have targets.
Split parse_split(std::string_view text, const Series& series);

// Of a panel: the same of each target's own rows, in the order of the targets. Dates leave a part
// of a series empty where it has no rows there.
std::vector<Split> parse_splits(std::string_view text, const Series& series);

// The newest `validation` rows of every target, or a third of its rows where it has few; nothing is
// held out for test.
std::vector<Split> newest_validate(const Series& series, std::size_t validation);

}  // namespace pulsecast
