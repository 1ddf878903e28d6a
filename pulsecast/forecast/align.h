// New rows as a model wants them: its channels, in its order, on its calendar.
#pragma once

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

// The settings with which a file is read for a model: those it was trained with, its own columns
// and no others. Gaps are left open unless they were filled in training: a channel that has one
// gets a status of its own instead of stopping the rest.
DataSettings reading_settings(const artifact::Model& model);

// Throws Error(kData) where the step or the zone of the rows is not the model's.
void require_same_time(const Series& series, const artifact::Model& model);

// The channels of the model in its order, found by their names, without copying a value; others are
// left out. `series` outlives it. Throws Error(kData) that names the channels that are missing, and
// where the step or the zone is another.
class AlignedSeries {
 public:
  AlignedSeries(const Series& series, const artifact::Model& model);

  const Series& series() const { return series_; }
  // Of the model's channel `c`: name and values, but not the role, which is the model's.
  const Channel& channel(std::size_t c) const { return *channels_[c]; }
  // One past the last row that has a value of a target of the model.
  std::size_t target_rows() const { return target_rows_; }
  // Whether the series has the model's channels as they are, roles included, and no others.
  bool is_as_it_is() const { return is_as_it_is_; }

 private:
  const Series& series_;
  std::vector<const Channel*> channels_;
  std::size_t target_rows_ = 0;
  bool is_as_it_is_ = true;
};

// Targets that the model was not trained on, which aligned rows leave out. A panel's model leaves
// none out: a series that is new gets a forecast with a status.
std::vector<std::string> unknown_targets(const Series& series, const artifact::Model& model);

// Of columns that were read past, those that a model of every column of its file would have had.
std::vector<std::string> new_columns(const std::vector<std::string>& unread,
                                     const artifact::Model& model);

// Aligned rows as a series of its own.
Series align(Series series, const artifact::Model& model);

// The model's calendar for a series that may begin elsewhere than the training rows did.
CalendarPlan calendar_for(const Series& series, const artifact::Model& model);

}  // namespace pulsecast
