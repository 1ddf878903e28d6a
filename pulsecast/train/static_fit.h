// Finds the profiles of static columns (data/statics/static_profiles.h), in closed form.
//
// The shape of a series is what its phases differ by from the mean of their cycle, over its
// training rows; what shapes differ by from that of all is explained by the groups of each column,
// one column after the other. A group's profile is the sum of its series' shapes over their number
// and a strength, so that a group of few series stays near what all share. Strengths are those that
// best tell the shape of a series by the others of its group. A column has no profiles where that
// is not better than nothing by a hundredth, and by more than groups drawn at random would come to.
// The period is that of the model or a cycle of the calendar, whichever lets the groups explain
// most.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/statics/static_profiles.h"
#include "pulsecast/train/reports.h"

namespace pulsecast::train {

struct StaticFit {
  std::optional<StaticProfiles> profiles;  // of the columns that tell something; none: no column
  std::vector<double> strengths;           // of those columns
  std::vector<Decision> decisions;         // one a column
};

// A panel without profiles, and the rows of each series to look at.
struct PanelRows {
  const Series& series;
  const ScaledSeries& scaled;
  const CalendarPlan& calendar;
  std::span<const RowRange> rows;  // (targets)
};

StaticFit fit_statics(const PanelRows& panel);

// The same columns, period and strengths, over other rows.
std::optional<StaticProfiles> refit_statics(const StaticFit& found, const PanelRows& panel);

}  // namespace pulsecast::train
