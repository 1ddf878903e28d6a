// The channel_linear backbone alone, learnt in closed form: a ridge for each channel, drawn towards
// the one of all.
//
//   minimise over W_c, b_c   sum over windows |y - W_c x - b_c|^2 + s_c n v |W_c - W|^2
//
// with W the ridge that all channels share (ridge.h), n windows of mean variance v. A strong s_c
// leaves a channel what all have in common, a weak one lets it go its own way, and validation tells
// which of them does a channel good: those of a weather station have little in common, those of one
// transformer much.
//
// Where there are columns of the past, the newest steps of them are inputs of a channel's own map
// too, which those of the shared one are not.
//
// Where the look-back holds few cycles, x and y are what a channel's mean cycle leaves: two weeks
// tell little of a week, the rows before them a lot. Where it holds many, the newest say more than
// the mean of all, which a year has changed.
#pragma once

#include "pulsecast/train/trainer.h"

namespace pulsecast::train {

// As solve_ridge(). `task.strengths`, where told: of the shared ridge, then of every channel.
TrainingResult solve_channel_ridge(const TrainingTask& task, ThreadPool& pool);

// Whether a look-back holds so few cycles that their mean is taken off.
bool takes_off_cycle(std::size_t lookback, std::size_t period);

}  // namespace pulsecast::train
