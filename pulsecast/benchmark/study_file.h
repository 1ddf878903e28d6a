// A study as people write it, in TOML.
//
//   out = "benchmark"                         # folder for records, errors and reports
//   models = ["dlinear", "frame:dlinear", "pulse:dlinear", "pulse"]      # contender.h
//   horizons = [96, 192]
//   seeds = [2024, 2025, 2026]                # [2024] where it is left out
//   keep-forecasts = false                    # every forecast as CSV, for other programs
//
//   [[datasets]]
//   name = "ETTh1"                            # a name of the paper brings its protocol
//   file = "data/ETTh1.csv.gz"
//   horizons = [96]                           # its own, in place of those above
//   settings = { time-zone = "UTC" }          # any setting, for this dataset
//
//   [settings]                                # any setting, for all
//   lookback = 96
//   [settings."pulse:dlinear"]                # for one model; wins over the other two
//   epochs = 20
//
//   [[forecasts]]                             # of another program, scored on the same windows
//   name = "statsforecast"
//   file = "arima.csv"                        # unique_id, ds, cutoff, yhat in original units
//   dataset = "ETTh1"                         # may be left out where there is only one,
//   horizon = 96                              # and so may this
//
// Paths are relative to the folder of the file, so that a study may be run from anywhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pulsecast/benchmark/study.h"

namespace pulsecast::benchmark {

// Throws Error(kUsage) with "source:line:column" for whatever is unknown, missing, given twice or
// out of its range; settings are tried here, so that a study fails before its first hour.
Study parse_study(std::string_view text, const std::string& source);
// The same of a file. Throws Error(kInputOutput) when it cannot be read.
Study read_study(const std::filesystem::path& file);

}  // namespace pulsecast::benchmark
