// The model file: everything between raw timestamped rows and a forecast in their own units.
//
// One safetensors file. Weights are float32 tensors under their dotted names, the scaler is two
// float64 tensors ("scaler.mean", "scaler.scale"), and "__metadata__" has one entry, "pulsecast": a
// JSON text with a version, which metadata.h writes and reads. It loads in any safetensors library
// as it is. Nothing in it can run, and a file that lies about itself is refused with the reason
// before memory is taken for what it claims.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/model/epoch_record.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

struct ChannelInfo {
  std::string name;
  Role role = Role::kTarget;

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

// Where the model comes from.
struct Origin {
  std::string written_by;   // "pulsecast 0.1.0"
  std::string cpu;          // type that it was trained on
  std::string data_source;  // file name
  std::string data_sha256;  // of the series, see data/series/series_checksum.h
  StampRange trained;       // rows that weights and scaler have seen
  StampRange validated;
  StampRange test;  // held out, if any
  bool is_refit = false;
  std::uint32_t best_epoch = 0;
  double best_validation = 0.0;  // MSE on scaled data
  double seconds = 0.0;
  std::size_t training_windows = 0;
  std::size_t validation_windows = 0;
  std::vector<model::EpochRecord> history;
  std::vector<std::string> choices;  // "period 24: the strongest cycle ..."
};

struct Model {
  std::unique_ptr<model::Pulse> pulse;
  Scaler scaler;                      // of every channel below
  std::vector<ChannelInfo> channels;  // targets, then known, then past
  CalendarPlan calendar;
  Step step;
  Zone zone;
  Instant phase_origin;  // stamp of the first row, from which phases by row are counted
  Settings settings;     // with which new rows are read, repaired and forecast
  Origin origin;
};

// Throws Error(kModelFile) with the reason.
Model decode_model(const store::TensorFile& file, const std::string& where);
store::TensorFile encode_model(const Model& model);

// Throws Error(kInputOutput) where the file cannot be read or written, Error(kModelFile) as above.
Model load_model(const std::filesystem::path& path);
void save_model(const std::filesystem::path& path, const Model& model);

}  // namespace pulsecast::artifact
