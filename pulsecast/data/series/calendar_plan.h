// What a model is told about time: calendar features, period and where phase is counted from.
#pragma once

#include <cstdint>
#include <vector>

#include "pulsecast/calendar/features.h"
#include "pulsecast/data/series/cycles.h"
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

struct PlannedCalendar {
  CalendarPlan plan;
  std::vector<CycleStrength> cycles;  // as measured; empty where the settings left nothing open
  // Where the period is one of the calendar's cycles that autocorrelation did not name.
  bool is_of_calendar = false;
};

// As the settings say; what they leave open is found over `rows`.
//
// Period: by autocorrelation; where the week is strong (cycles.h), the week; where autocorrelation
// finds none, the strongest cycle of the calendar that is; else 1.
// Features: those that come round within the period, or within a week where there is none, and
// those of the strong cycles: few features make few distinct calendars, each of which costs an
// encoding (decision 24). The day of the year is told to steps of a day or more alone: with shorter
// ones no two windows would share a calendar.
PlannedCalendar plan_calendar(const Series& series, RowRange rows, const DataSettings& settings);

}  // namespace pulsecast
