// Moments over all channels of a training: what a map that they share is made of.
#pragma once

#include <span>
#include <vector>

#include "pulsecast/train/trainer.h"
#include "pulsecast/train/window_moments.h"

namespace pulsecast::train {

// Of every window and channel, for maps that look back `lookback` steps; not of a panel. cycles
// (channels), of which each may be empty, are taken off. Centred.
WindowMoments shared_moments(const Windows& windows, std::size_t lookback,
                             std::span<const std::vector<double>> cycles, ThreadPool& pool,
                             const Watch& watch);

// Of the windows of a panel's training: as many as an epoch draws. Centred.
WindowMoments drawn_moments(const TrainingTask& task, ThreadPool& pool);

}  // namespace pulsecast::train
