// How what a model sees is found out.
#pragma once

#include <optional>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/forecast/inside.h"
#include "pulsecast/model/pulse.h"

namespace pulsecast {

// `series` is aligned with the model. No windows where none fits.
Inside look_inside(const Series& series, const artifact::Model& model, const InsideRequest& request,
                   ThreadPool& pool, const Watch& watch);

// The same of weights that are in no file yet. `windows` are of `scaled`, which is `series` by
// `scaler`.
Inside look_inside(const Series& series, const model::Pulse& pulse, const Scaler& scaler,
                   const ScaledSeries& scaled, const Windows& windows, const InsideRequest& request,
                   ThreadPool& pool, const Watch& watch);

// None of a model without an anchor.
std::optional<Codebook> codebook_of(const artifact::Model& model);

}  // namespace pulsecast
