// The model file: everything between raw timestamped rows and a forecast in their own units.
//
// One safetensors file. Weights are float32 tensors under their dotted names, the scaler is two
// float64 tensors ("scaler.mean", "scaler.scale"), a panel has the stamps up to which each series
// was seen ("series.parts", in milliseconds), and "__metadata__" has one entry, "pulsecast": a
// JSON text with a version, which metadata.h writes and reads. It loads in any safetensors library
// as it is. Every tensor and the header have a checksum (store/checksums.h). Nothing in it can run,
// and a file that lies about itself is refused with the reason before memory is taken for what it
// claims.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/artifact/origin.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/model/pulse.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

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
  std::vector<SeriesParts> series;  // of a panel, one a target; else none

  // All series share the weights, and a window is of one.
  bool is_panel() const { return settings.data.panel == Panel::kSeries; }
};

// Throws Error(kModelFile) with the reason.
Model decode_model(const store::TensorFile& file, const std::string& where);
store::TensorFile encode_model(const Model& model);

// The bytes of a model file, in memory; `where` names them in messages.
Model parse_model(std::string_view bytes, const std::string& where);
std::string model_bytes(const Model& model);

// Throws Error(kInputOutput) where the file cannot be read or written, Error(kModelFile) as above.
Model load_model(const std::filesystem::path& path);
void save_model(const std::filesystem::path& path, const Model& model);

}  // namespace pulsecast::artifact
