// What a backtest came to, as tables.
#pragma once

#include <string>

#include "pulsecast/calendar/zone.h"
#include "pulsecast/evaluate/backtest_result.h"

namespace pulsecast::cli {

// Tables beside the one of all.
struct BacktestDetails {
  bool per_channel = false;
  bool per_step = false;
  bool per_month = false;
};

std::string backtest_text(const Backtest& result, const Zone& zone, const BacktestDetails& details);

}  // namespace pulsecast::cli
