// The model file: everything between raw timestamped rows and a forecast in their own units.
//
// One safetensors file. Weights are float32 tensors under their dotted names, the scaler is two
// float64 tensors ("scaler.mean", "scaler.scale"), effects of known columns are three
// ("effects.columns", "effects.terms", "effects.weights"), profiles of static columns are one
// ("statics.profiles"), a panel has the stamps up to which each series was seen ("series.parts", in
// milliseconds), a model with calibrated ranges has
// "ranges.sets", "ranges.phases" and "ranges.scores" (with a quantile head also "ranges.units" and
// "ranges.head."), and "__metadata__" has one entry,
// "pulsecast": a JSON text with a version, which metadata.h writes and reads. It loads in any
// safetensors library as it is. Every tensor and the header have a checksum (store/checksums.h).
// Nothing in it can run, and a file that lies about itself is refused with the reason before memory
// is taken for what it claims.
//
// Of several models that forecast together the first has its weights under their names, and the
// others theirs behind "other.1.", "other.2." and so on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/artifact/origin.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/data/effects/effects.h"
#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/known_use.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/model/ensemble.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

struct Model {
  model::Ensemble ensemble;
  Scaler scaler;                           // of every channel below
  std::optional<Effects> effects;          // of the known ones, where they have any
  std::optional<StaticProfiles> profiles;  // of a panel's static columns, where they tell anything
  std::vector<ChannelInfo> channels;       // targets, then known, then past
  CalendarPlan calendar;
  Step step;
  Zone zone;
  Instant phase_origin;  // stamp of the first row, from which phases by row are counted
  Settings settings;     // with which new rows are read, repaired and forecast
  Origin origin;
  std::vector<SeriesParts> series;  // of a panel, one a target; else none
  // How far off forecasts were on rows kept for that; none where there were no such rows.
  std::optional<calibrate::Calibration> ranges = {};

  // Of the windows that it reads.
  const model::ModelShape& shape() const { return ensemble.shape(); }
  // All series share the weights, and a window is of one.
  bool is_panel() const { return settings.data.panel == Panel::kSeries; }
  bool known_are_inputs() const { return settings.model.known_as != KnownAs::kEffects; }
  // Whether a forecast depends on known columns.
  bool reads_known() const { return effects || known_are_inputs(); }
  KnownUse known_use() const {
    return {effects ? &*effects : nullptr, known_are_inputs(), profiles ? &*profiles : nullptr};
  }
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
