// How quickly the ranges of each channel should follow its misses, found on the past.
//
// Where errors wander, ranges that follow are narrower and hold more; where misses come in bursts
// that pass, they grow too late and stay too wide. So the correction is tried: ranges of the older
// errors, with the head of the calibration where it has one, follow the newer ones, and the largest
// gain is taken whose quantile loss is the least but for a hair. Where none does good it is 0.
#pragma once

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/error_sheet.h"

namespace pulsecast::calibrate {

// Of channels that are forecast together. older, newer: windows in the order of time, `newer` after
// all of `older`.
void choose_gains(const ErrorSheet& older, const ErrorSheet& newer, std::size_t period,
                  Calibration& calibration, ThreadPool& pool);

}  // namespace pulsecast::calibrate
