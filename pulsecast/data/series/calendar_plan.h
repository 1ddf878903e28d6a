// What a model is told about time: calendar features, period and where phase is counted from.
#pragma once

#include <cstdint>
#include <vector>

#include "pulsecast/calendar/features.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/data/series/split.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast {

struct CalendarPlan {
  std::vector<CalendarFeature> features;
  std::int32_t period = 1;  // W
  PhaseSource phase = PhaseSource::kTimestamp;
  // Phase of the first row where it is counted by row: 0 in the file that a model was trained on,
  // and whatever keeps the beat in one that begins elsewhere.
  std::int32_t first_phase = 0;
};

// As the settings say; what they leave open is found. Features: those that come round within the
// period, because they are what the series repeats, and few calendars are distinct; within a week
// where there is no period; for steps of a week or more, those that are left. Period: by
// autocorrelation over `rows`, 1 where there is none.
CalendarPlan plan_calendar(const Series& series, RowRange rows, const DataSettings& settings);

}  // namespace pulsecast
