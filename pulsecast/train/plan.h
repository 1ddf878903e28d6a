// From settings and a series to everything that training needs: what complete settings
// (completion.h) leave open is chosen from the data, and each decision is listed with its reason.
//
// Decisions, where the settings are silent:
//   panel      windows of each series alone, with weights that all share, where a long file has
//   more
//              than 32 series or they begin or end at different times, or there are more than 1000
//              channels; else windows of all channels together
//   split      the newest tenth of the rows validates, nothing is held out for test
//   horizon    96 steps, a year of months; less where the rows are few
//   period     by autocorrelation over the training rows, or a strong cycle of the calendar
//   features   those of the calendar that come round within the period, and the weekday (and for
//              days the day of the year) where that cycle is strong
//   look-back  whole periods of at least 96 steps, two weeks of hours where the week is strong;
//   less
//              where the rows are few
//   codebook   a row per phase; of a period beyond 96, its largest divisor up to that; of a week a
//              row per hour, or with shorter steps a row per step of the day
//   patch      the largest divisor of the period up to 24, so that patches keep its beat
//   widths     of the time encoders: the channels, from 8 to 64
//   batch      256 windows, 64 with more than 64 channels, and at least 20 steps an epoch
//   epoch      every window, or as many as make a million rows of a channel: with hundreds of
//              channels that share their weights, windows an hour apart tell little new
// In a panel the newest horizon of each series validates, the look-back is two weeks or more where
// a week is at most 168 steps, other sizes go by what most series have, the learning rate is a
// tenth of the usual and the loss is the absolute error. None of it looks at a test row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/data/series/split.h"
#include "pulsecast/model/model_shape.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/train/reports.h"
#include "pulsecast/train/validation_blocks.h"

namespace pulsecast::train {

struct Plan {
  Split split;  // test is empty where nothing is held out; of a panel, what holds all of the below
  // Of a panel, one a target: parts of its own rows. Empty where channels are forecast together.
  std::vector<Split> series_splits;
  // Where validation is of several blocks; `split` has the newest of them, and what is before it.
  std::optional<ValidationBlocks> spread;
  CalendarPlan calendar;
  model::ModelShape shape;
  std::size_t batch = 0;
  std::size_t epoch_steps = 0;  // 0: all windows
  // Seen up to now only, as windows have them: shape.past of them are read by this model, which are
  // all or none.
  std::size_t past_columns = 0;
  std::vector<Decision> decisions;  // what was chosen, not what was given
  // The complete settings (completion.h) with everything that was chosen: what a model file says
  // that the model was trained with.
  Settings settings;

  bool is_panel() const { return !series_splits.empty(); }
  // Whether known columns are among the features that the model reads.
  bool known_are_inputs() const { return settings.model.known_as != KnownAs::kEffects; }
};

// Throws Error(kUsage) for settings that cannot be, Error(kData) where rows are too few.
Plan make_plan(const Series& series, const Settings& told);

}  // namespace pulsecast::train
