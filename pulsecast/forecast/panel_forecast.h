// Forecasts of a panel: every series of a file from its own last row, by weights that all share.
//
// Nothing about one series stops the others. One that the model has never seen is scaled by its own
// rows; one that is shorter than the look-back, or has a gap in it, is padded from its last stretch
// without a gap, as such windows were in training; one that ended long ago is left out unless it is
// asked for. Each of them says so in its status.
#pragma once

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/forecast/channel_forecast.h"
#include "pulsecast/model/inference.h"

namespace pulsecast {

// `model` is a panel's. Throws Error(kData) where the step or the zone is another, or no series has
// a value.
SeriesForecast forecast_panel(const Series& series, const artifact::Model& model,
                              const ForecastOptions& options, model::Inference& inference,
                              ThreadPool& pool, const Watch& watch = {});

// The scaler of every channel of `series`: the model's where it knows the channel, its own rows'
// where it does not. `is_new` (channels) says which.
Scaler scaler_for(const Series& series, const artifact::Model& model, std::vector<bool>& is_new);

}  // namespace pulsecast
