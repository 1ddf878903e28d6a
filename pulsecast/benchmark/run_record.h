// What a run came to, as a line of JSON: enough to believe it, to compare it and to do it again.
// Its last entry is the CRC-32C of what stands before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pulsecast/benchmark/study.h"
#include "pulsecast/data/series/split.h"

namespace pulsecast::benchmark {

struct BaselineScore {
  std::string name;  // "seasonal naive (day)"
  double mse = 0.0;
  double mae = 0.0;
};

// Mean absolute scaled errors against the value `lag` steps earlier (metrics/mase.h).
struct LagMase {
  std::size_t lag = 1;
  double paper = 0.0;
  double usual = 0.0;
};

// Scores are of scaled values over every test window, step and channel.
struct RunRecord {
  RunKey key;               // of another program's forecasts: its name, and seed 0
  bool is_outside = false;  // made by another program: nothing was trained
  std::string protocol;     // how the settings came about
  std::vector<std::pair<std::string, std::string>> settings;  // "training.epochs", "10"
  std::vector<std::string> chosen;                            // from the data
  std::string file;
  std::string data_checksum;      // of the series
  std::string forecast_checksum;  // of another program's file
  std::string version;
  std::string cpu;
  std::string command;  // that trains and scores it alone
  Split split;
  std::size_t channels = 0;
  std::size_t training_windows = 0;
  std::size_t validation_windows = 0;
  std::size_t test_windows = 0;
  std::vector<double> training_loss;   // an epoch
  std::vector<double> validation_mse;  // an epoch
  std::uint32_t best_epoch = 0;
  double seconds = 0.0;     // of all epochs, also those before a restart
  std::size_t weights = 0;  // that are learned
  std::size_t flops = 0;    // of one window
  // Settings and epoch were chosen on validation; test rows were scored this often, with the
  // weights that were kept.
  std::size_t test_scorings = 1;
  double mse = 0.0;
  double mae = 0.0;
  std::vector<LagMase> mase;             // lag 1, then that of each season
  std::vector<BaselineScore> baselines;  // on the same windows
  // File of every window's errors, in the study's folder; empty where the record came without it.
  std::string errors;
};

// Without '\n'.
std::string to_line(const RunRecord& record);
// Whether all of a line is there and as it was written: one that was cut short is no JSON, a
// garbled one has another checksum.
bool is_whole(std::string_view line);
// Throws Error(kData) at `where` with what is missing, of another type or damaged.
RunRecord parse_record(std::string_view line, const std::string& where);

}  // namespace pulsecast::benchmark
