// Which way to make ranges is the better one for a model.
#pragma once

#include <memory>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/quantile_head.h"

namespace pulsecast::train {

// Mean interval scores of the 80 and 95 percent ranges together, on scaled data.
struct MethodScores {
  double residual = 0.0;
  double quantile = 0.0;
};

// The older half of the windows is ranked, with the head and without, and the newer half scored.
// None of them are to be ranked afterwards: who has chosen by them may not promise by them.
MethodScores compare_methods(const calibrate::ErrorSheet& learnt, std::size_t period, bool is_panel,
                             const std::shared_ptr<const calibrate::QuantileHead>& head,
                             ThreadPool& pool);

}  // namespace pulsecast::train
