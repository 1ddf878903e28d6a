// Columns that are seen up to now only: which of them the models to be trained read.
//
// Backbones that look across rows read them (model::reads_past), and a search tries one of those
// where it is free to. A window needs every value of what it reads, so in a search, where most
// candidates do not read them, a column whose gaps would take many windows from all is left out.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/data/series/series.h"
#include "pulsecast/settings/settings.h"

namespace pulsecast::train {

// Whether a model trained with complete settings may read such columns: the one that is told, or
// one of those that a search tries.
bool may_read_past(const Settings& settings);
// Whether a search is free to try a backbone that reads them beside the one that is usual.
bool may_try_past_reader(const Settings& settings);

// Leaves out of `series` the columns of the past that no model trained with `told` reads; returns
// what is to be said of each such case. Throws Error(kUsage) where no target is left.
std::vector<std::string> keep_what_models_read(Series& series, const Settings& told);

}  // namespace pulsecast::train
