// Pulsecast in one header: fit a model to timestamped rows, forecast, evaluate, save, load.
//
//   std::shared_ptr<const Model> model = fit("load.csv", settings);
//   model->save("load.model");
//   ...
//   std::shared_ptr<const Model> again = Model::load("load.model");
//   SeriesForecast next = again->forecast("load.csv");
//   std::string csv = to_long_csv(next, false);
//
// A model never changes, and any number of threads may use one at once. What changes while it
// forecasts is in a Session, which belongs to one thread at a time and is cheap to make; Model's
// own forecasts take one that is idle. Whoever forecasts again and again keeps a Session:
//
//   Session session(model);
//   Observations rows = model->read("load.csv");
//   for (;;) {
//     rows.append(stamp, values);                       // what was measured
//     SeriesForecast next = session.forecast(rows);     // some microseconds
//   }
//
// Rows are aligned with the model by the names of their channels, wherever they come from. Nothing
// but pulsecast::Error is thrown.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/artifact/origin.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/series/row_range.h"
#include "pulsecast/evaluate/scored.h"
#include "pulsecast/forecast/channel_forecast.h"
#include "pulsecast/forecast/forecast_text.h"
#include "pulsecast/forecast/inside.h"
#include "pulsecast/forecast/part.h"
#include "pulsecast/observations.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/threads.h"
#include "pulsecast/train/reports.h"

namespace pulsecast {

namespace artifact {
struct Model;
}

// "0.1.0".
std::string_view version();

// Settings as fit() completes them, whoever gives them: what was told stays, what depends on other
// settings is set, what depends on the rows stays open. To be called by whoever reads rows for
// fit() with settings that name a recipe, which has a say in how they are read.
Settings complete(const Settings& told);

// What is to be known of a model without looking inside.
struct ModelCard {
  std::string title;        // "PULSE with mlp"
  std::size_t weights = 0;  // that were learned
  std::size_t lookback = 0;
  std::size_t horizon = 0;
  std::size_t period = 1;
  Step step;
  Zone zone;
  std::vector<artifact::ChannelInfo> channels;  // targets, then known
  Settings settings;                            // with which it was trained, nothing left open
  artifact::Origin origin;
};

// Of a model that was trained from another's weights and from a fresh start.
struct FitStarts {
  double warm = 0.0;  // validation MSE of each
  double fresh = 0.0;
  bool is_warm = true;  // that one is the model
};

// What training came to, beyond what the model's card says.
struct FitSummary {
  std::vector<train::Decision> decisions;  // what the settings left open
  std::size_t memory = 0;                  // bytes of gradients, arenas, encodings and batches
  std::size_t lanes = 0;                   // parts of a step that threads may run at once
  // Training ended there, and the model is the best epoch before it (ModelCard's warnings say so
  // too). The checkpoint is of that epoch: a run that resumes with a smaller learning rate goes on.
  std::optional<train::Fault> fault = {};
  std::optional<FitStarts> starts = {};
  bool was_ended = false;  // early, with the best so far: the checkpoint can go on
  // What a search tried, and what became of it; nothing where one model was trained.
  std::vector<train::Tried> tried = {};
};

// What was decided before the first step.
struct FitPlan {
  std::string title;
  std::size_t channels = 0;
  std::size_t lookback = 0;
  std::size_t horizon = 0;
  std::size_t period = 1;
  std::vector<train::Decision> decisions;
};

class Model;

// Everything may be left out.
struct FitOptions {
  bool refit = false;                   // then train again on every row, as long as was best
  std::optional<Threads> threads = {};  // unset: one per CPU, for this call
  Watch watch = {};                     // remarks, progress, cancelling and finishing early
  std::optional<std::filesystem::path> checkpoint = {};  // where the run is saved as it goes
  bool resume = false;           // go on from the checkpoint, if it is there
  bool allow_other_cpu = false;  // also from one of a CPU whose last bits differ
  // Begin at the weights of this model as far as they fit (train/warm_start.h). A model is trained
  // from a fresh start too, and the one that validates better is what is returned; the decisions
  // say which, and how good the other was.
  std::shared_ptr<const Model> from = {};
  std::function<void(const FitPlan&)> on_plan = {};
  std::function<void(const train::StepReport&)> on_step = {};
  // Every epoch so far, when one is done.
  std::function<void(std::span<const train::EpochRecord> history, bool is_best)> on_epoch = {};
};

struct EvaluatedRows {
  Evaluation evaluation;
  RowRange rows;  // that hold the targets
};

class Model {
 public:
  // Throws Error(kInputOutput) where there is no such file, Error(kModelFile) where it is none.
  static std::shared_ptr<const Model> load(const std::filesystem::path& path);
  // The same bytes from anywhere; `source` names them in messages.
  static std::shared_ptr<const Model> from_bytes(std::string_view bytes,
                                                 const std::string& source = "bytes in memory");
  void save(const std::filesystem::path& path) const;
  std::string to_bytes() const;

  const ModelCard& card() const;
  // Only of a model that was fitted here.
  const FitSummary* fitted() const;

  // How rows for this model are read: as in training, its own columns and no others. Gaps are left
  // open unless they were filled in training: a channel that has one gets a status of its own.
  DataSettings reading_settings() const;
  // Rows as this model wants them. `settings` are reading_settings() with changes.
  Observations read(const std::string& file, const Threads& threads = {},
                    const Watch& watch = {}) const;
  Observations read(const std::string& file, const DataSettings& settings,
                    const Threads& threads = {}, const Watch& watch = {}) const;
  Observations take(const Frame& frame) const;
  // The same of rows that were read elsewhere, with reading_settings().
  Observations take(Observations rows) const;

  // The next steps after the last row that has targets, or after options.at.
  SeriesForecast forecast(const std::string& file, const ForecastOptions& options = {}) const;
  SeriesForecast forecast(const Observations& rows, const ForecastOptions& options = {}) const;

  // Scores on every window of the part. Throws Error(kData) where there are no such rows.
  EvaluatedRows evaluate(const Observations& rows, Part part = Part::kHeldOut,
                         const Threads& threads = {}, const Watch& watch = {}) const;

  // What the model sees in windows of the rows, and the parts that its forecasts are made of. No
  // windows where none fits.
  Inside look_inside(const Observations& rows, const InsideRequest& request,
                     const Threads& threads = {}, const Watch& watch = {}) const;
  // None of a model without a phase anchor.
  std::optional<Codebook> codebook() const;

  // Not part of what is promised to stay: what is inside, for whoever builds on the inner rooms.
  const artifact::Model& inside() const;

  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

 private:
  friend std::shared_ptr<const Model> fit(Observations, const Settings&, const FitOptions&);
  struct Contents;
  explicit Model(std::unique_ptr<Contents> contents);

  std::unique_ptr<Contents> contents_;
};

// Learns a model. Columns that are seen up to now only are not used by any model and left out.
std::shared_ptr<const Model> fit(Observations rows, const Settings& settings,
                                 const FitOptions& options = {});
std::shared_ptr<const Model> fit(const std::string& file, const Settings& settings,
                                 const FitOptions& options = {});

class Session {
 public:
  explicit Session(std::shared_ptr<const Model> model, Threads threads = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  const std::shared_ptr<const Model>& model() const;

  // As Model::forecast.
  SeriesForecast forecast(const Observations& rows, const ForecastOptions& options = {});
  // From each of many stamps, in their order: options.at is not read.
  std::vector<SeriesForecast> forecast(const Observations& rows, std::span<const Instant> origins,
                                       const ForecastOptions& options = {},
                                       const Watch& watch = {});
  // From every row from `first` to `last`, both included, that has a look-back before it.
  std::vector<SeriesForecast> forecast(const Observations& rows, Instant first, Instant last,
                                       const ForecastOptions& options = {},
                                       const Watch& watch = {});

 private:
  friend class Model;  // which keeps what is in idle ones
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace pulsecast
