// How what a model sees is found out.
#pragma once

#include <optional>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/forecast/inside.h"

namespace pulsecast {

// `series` is aligned with the model. No windows where none fits.
Inside look_inside(const Series& series, const artifact::Model& model, const InsideRequest& request,
                   ThreadPool& pool, const Watch& watch);

// None of a model without an anchor.
std::optional<Codebook> codebook_of(const artifact::Model& model);

}  // namespace pulsecast
