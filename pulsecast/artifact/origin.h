// Where a model comes from: its channels, the rows that made it, and how its training went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/data/table/role.h"
#include "pulsecast/model/epoch_record.h"

namespace pulsecast::artifact {

struct ChannelInfo {
  std::string name;
  Role role = Role::kTarget;
  bool is_constant = false;  // it had one value in all rows of training

  friend bool operator==(const ChannelInfo&, const ChannelInfo&) = default;
};

// A stretch of the rows of the file that the model was made from.
struct StampRange {
  std::size_t begin = 0;  // number of the first
  std::size_t rows = 0;   // 0: none, and the stamps say nothing
  Instant first;
  Instant last;

  friend bool operator==(const StampRange&, const StampRange&) = default;
};

// The rows of one series of a panel, which has its own: the last of them that a part reaches to.
struct SeriesParts {
  Instant first;
  Instant trained;    // weights and scaler have seen it up to here
  Instant validated;  // where not after `trained`, none of it validated

  friend bool operator==(const SeriesParts&, const SeriesParts&) = default;
};

struct Origin {
  std::string written_by;   // "pulsecast 0.1.0"
  std::string cpu;          // type that it was trained on
  std::string engine;       // that computed it, see kernels/engine.h; empty before version 3
  std::string data_source;  // file name
  std::string data_sha256;  // of the series, see data/series/series_checksum.h
  StampRange trained;       // rows that weights and scaler have seen
  StampRange validated;
  StampRange test;  // held out, if any
  bool is_refit = false;
  std::uint32_t best_epoch = 0;
  double best_validation = 0.0;  // MSE on scaled data
  // MSE of repeating the last value, over the same windows; NaN before version 3.
  double naive_validation = std::numeric_limits<double>::quiet_NaN();
  // And of repeating the last period; NaN where the look-back is shorter, and before version 4.
  double seasonal_validation = std::numeric_limits<double>::quiet_NaN();
  // Of the training. Files have it no more, here and in `history`, so that the same run makes the
  // same file, byte for byte: of a model that was loaded it is 0.
  double seconds = 0.0;
  std::size_t training_windows = 0;
  std::size_t validation_windows = 0;
  std::vector<model::EpochRecord> history;
  std::vector<std::string> choices;   // "period 24: the strongest cycle ..."
  std::vector<std::string> warnings;  // "training ended at epoch 3, ..."; empty before version 3
};

}  // namespace pulsecast::artifact
