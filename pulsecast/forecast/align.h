// New rows as a model wants them: its channels, in its order, on its calendar.
#pragma once

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

// The settings with which a file is read for a model: those it was trained with, its own columns
// and no others. Gaps are left open unless they were filled in training: a channel that has one
// gets a status of its own instead of stopping the rest.
DataSettings reading_settings(const artifact::Model& model);

// The channels of the model, in its order; others are left out. Throws Error(kData) that names the
// channels that are missing, and where the step or the zone is another.
Series align(Series series, const artifact::Model& model);

// The model's calendar for a series that may begin elsewhere than the training rows did.
CalendarPlan calendar_for(const Series& series, const artifact::Model& model);

}  // namespace pulsecast
