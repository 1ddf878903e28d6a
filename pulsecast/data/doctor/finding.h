// One thing that is wrong with a table: what, where and why. remedies.h says what mends it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pulsecast/base/remedy.h"

namespace pulsecast {

struct Finding {
  enum class Kind {
    kManySeries,      // rows of many series, read as one's
    kClockChange,     // an hour that a zone's clocks show twice, or never
    kUnreadableRow,   // a line without a readable stamp, or with too few or too many cells
    kSkippedHour,     // a stamp that the zone's clocks never show
    kUnreadableCell,  // text where a number should be
    kInfiniteCell,    // inf, or a number beyond what a double holds
    kEmptyCells,      // a run of cells without a value
    kCodedValue,      // a number that stands for no value: -999
    kOutlier,         // a value far beyond all others
    kStuckValue,      // a run of one value in a channel that changes nearly every row
    kUnitChange,      // a stretch of rows that is measured in another unit
    kDuplicateStamp,  // a row whose stamp came before
    kOutOfOrder,      // a row earlier than the one before it
    kGap,             // steps that are missing between two rows
    kUnevenStep,      // a row that lies between two steps
    kChangingStep,    // a run of rows at another step than the rest
    kTextColumn,      // a column that holds text rather than numbers
    kConstantColumn,  // a column that never changes
    kDeadChannel,     // a channel that ends, or gets stuck, long before the file does
    kIntermittent,    // a series that is mostly zero: no fault, but good to know
    kTwinSeries,      // a series of a long file that is another one over again
    kTooShort,        // fewer steps than look-back and horizon need
  };

  Kind kind;
  std::string series;            // of a long file, else empty
  std::string column;            // empty: the row as a whole
  std::uint64_t first_line = 0;  // lines of the file, counted from 1; 0: not about lines
  std::uint64_t last_line = 0;
  std::size_t count = 1;              // cells, rows or missing steps
  std::string cause;                  // a sentence without its full stop
  std::string step = {};              // of rows off the step: the one to resample to
  std::vector<Remedy> remedies = {};  // where the kind alone does not say them
};

// "empty-cells": for machines, and for grouping.
const char* name(Finding::Kind kind);

// "Empty cells": a heading.
const char* title(Finding::Kind kind);

}  // namespace pulsecast
