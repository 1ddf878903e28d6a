// What a backtest came to, as a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>
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
nlohmann::ordered_json backtest_json(const Backtest& result, const Zone& zone);

}  // namespace pulsecast::cli
