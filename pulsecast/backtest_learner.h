// How a backtest learns as it goes, and what it keeps of that for a run that goes on. Inside the
// face.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "pulsecast/backtest.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/evaluate/backtest_journal.h"

namespace pulsecast {

// What lies beside the file of forecasts while a run lasts: the first model, whose scale all are
// scored on, and the latest.
inline constexpr const char* kFirstModel = ".first.model";
inline constexpr const char* kLatestModel = ".latest.model";

std::filesystem::path beside(const std::filesystem::path& out, std::string_view end);

// Learns from `rows`, going on from a checkpoint where a run keeps one.
std::shared_ptr<const Model> learn(const Series& series, RowRange rows, const Settings& settings,
                                   const BacktestOptions& options);

// Saves the model and notes that it was learnt before `row`; nothing where there is no journal.
void record_model(const Model& model, const char* which, std::size_t row, BacktestJournal* journal,
                  const BacktestOptions& options);

// Settings for training again: the model's own with the split left open, since the newest of
// whatever rows there are by then validate.
Settings relearning(Settings settings);

}  // namespace pulsecast
