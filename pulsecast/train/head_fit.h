// Trains the quantile head of a model's ranges.
#pragma once

#include <cstdint>
#include <memory>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/quantile_head.h"

namespace pulsecast::train {

// By the pinball loss at every probability that ranges keep, over errors of `sheet` that may be
// those of rows that trained the model: what comes out says how windows differ, and how large
// errors are is ranked on other rows. Scales are the calibration's. The same bits on any number of
// threads.
std::shared_ptr<const calibrate::QuantileHead> fit_head(const calibrate::ErrorSheet& sheet,
                                                        const calibrate::Calibration& calibration,
                                                        std::size_t period, std::uint64_t seed,
                                                        ThreadPool& pool, const Watch& watch);

}  // namespace pulsecast::train
