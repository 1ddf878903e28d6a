// A quantile head put into a calibration, whose quantiles are ranked anew.
#pragma once

#include <memory>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/quantile_head.h"

namespace pulsecast::calibrate {

// The least scores of a set that a head is ranked with: those that a range of 99 percent takes. The
// sets with fewer, whose quantiles are pooled, keep them, and the head says nothing of them.
inline constexpr std::size_t kLeastOfHead = 199;

struct SetWindow {
  std::size_t channel;
  std::size_t window;
};

// The windows of a sheet that each set of a calibration is of, channel by channel in their order.
std::vector<std::vector<SetWindow>> windows_of_sets(const ErrorSheet& sheet, bool is_panel,
                                                    const Calibration& calibration);

// Mean absolute scores of a sheet, (channels, H): what a head's words are in units of.
std::vector<float> usual_scores(const ErrorSheet& sheet, const Calibration& calibration,
                                ThreadPool& pool);

// Of each set with scores enough, ranks score - unit * shift at every probability. units: usual
// scores of rows that the head has not learnt from. Whether there is such a set; else the
// calibration is as it was.
bool add_head(std::shared_ptr<const QuantileHead> head, const std::vector<float>& units,
              const ErrorSheet& ranked, bool is_panel, Calibration& calibration, ThreadPool& pool);

}  // namespace pulsecast::calibrate
