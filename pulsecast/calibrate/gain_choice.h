// How quickly the ranges of each channel should follow its misses, found on the past.
//
// Where errors wander, ranges that follow are narrower and hold more; where misses come in bursts
// that pass, as rain does, they grow too late and stay too wide. So the correction is tried: ranges
// of the older errors follow the newer ones, and the gain with the least quantile loss is taken.
#pragma once

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/error_sheet.h"

namespace pulsecast::calibrate {

// Of channels that are forecast together. older, newer: windows in the order of time, `newer` after
// all of `older`.
void choose_gains(const ErrorSheet& older, const ErrorSheet& newer, std::size_t period,
                  Calibration& calibration, ThreadPool& pool);

}  // namespace pulsecast::calibrate
