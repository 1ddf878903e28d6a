#include "pulsecast/data/doctor/finding.h"

namespace pulsecast {
namespace {

struct Names {
  const char* name;
  const char* title;
};

Names names(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kManySeries:
      return {"many-series", "Many series in one"};
    case Finding::Kind::kClockChange:
      return {"clock-change", "Changes of the clocks"};
    case Finding::Kind::kUnreadableRow:
      return {"unreadable-row", "Lines that are no rows"};
    case Finding::Kind::kSkippedHour:
      return {"skipped-hour", "Stamps in a skipped hour"};
    case Finding::Kind::kUnreadableCell:
      return {"unreadable-cell", "Cells that hold no number"};
    case Finding::Kind::kInfiniteCell:
      return {"infinite-cell", "Infinite values"};
    case Finding::Kind::kEmptyCells:
      return {"empty-cells", "Empty cells"};
    case Finding::Kind::kCodedValue:
      return {"coded-value", "Numbers that stand for no value"};
    case Finding::Kind::kOutlier:
      return {"outlier", "Values far beyond all others"};
    case Finding::Kind::kStuckValue:
      return {"stuck-value", "Stuck values"};
    case Finding::Kind::kUnitChange:
      return {"unit-change", "Changes of the unit"};
    case Finding::Kind::kDuplicateStamp:
      return {"duplicate-stamp", "Repeated stamps"};
    case Finding::Kind::kOutOfOrder:
      return {"out-of-order", "Rows out of order"};
    case Finding::Kind::kGap:
      return {"gap", "Missing rows"};
    case Finding::Kind::kUnevenStep:
      return {"uneven-step", "Rows between two steps"};
    case Finding::Kind::kChangingStep:
      return {"changing-step", "Changes of the step"};
    case Finding::Kind::kTextColumn:
      return {"text-column", "Columns of text"};
    case Finding::Kind::kConstantColumn:
      return {"constant-column", "Columns that never change"};
    case Finding::Kind::kDeadChannel:
      return {"dead-channel", "Channels that died"};
    case Finding::Kind::kIntermittent:
      return {"intermittent", "Series that are mostly zero"};
    case Finding::Kind::kTwinSeries:
      return {"twin-series", "Series that are there twice"};
    case Finding::Kind::kTooShort:
      return {"too-short", "Too few rows"};
  }
  return {"unknown", "Unknown"};
}

}  // namespace

const char* name(Finding::Kind kind) { return names(kind).name; }
const char* title(Finding::Kind kind) { return names(kind).title; }

}  // namespace pulsecast
