// Pulsecast in one header: fit a model to timestamped rows, forecast, evaluate, save, load.
//
//   Forecaster model = Forecaster::fit("load.csv", settings);
//   model.save("load.model");
//   ...
//   Forecaster again = Forecaster::load("load.model");
//   SeriesForecast next = again.forecast("load.csv");
//   fmt::print("{}", to_long_csv(next, false));
//
// Errors are pulsecast::Error. A Forecaster belongs to one thread at a time; different ones share
// nothing.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/evaluate/evaluation.h"
#include "pulsecast/forecast/forecast.h"
#include "pulsecast/forecast/forecast_text.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/train/fit.h"

namespace pulsecast {

struct FitOptions {
  bool refit = false;       // train again on every row, for as many epochs as validated best
  std::size_t threads = 0;  // 0: one per CPU that the process may use
  train::FitHooks hooks;    // progress, checkpoints, stopping
  bool keep_workers_off_caller = false;  // see ThreadPoolOptions
};

// Which rows are scored.
enum class Part {
  kHeldOut,     // the test rows recorded in the model, or the rows after all that it has seen
  kValidation,  // rows that chose the best epoch
  kTraining,    // rows that the weights have seen
  kAll,
};

struct EvaluatedRows {
  Evaluation evaluation;
  RowRange rows;  // that hold the targets
};

class Forecaster {
 public:
  // From a file, or from series that were read and repaired. Columns that are seen up to now only
  // are not used by PULSE and left out.
  static Forecaster fit(const std::string& file, const Settings& settings,
                        const FitOptions& options = {});
  static Forecaster fit(Series series, const Settings& settings, const FitOptions& options = {});

  static Forecaster load(const std::filesystem::path& path, std::size_t threads = 0);
  static Forecaster load(const std::filesystem::path& path, const ThreadPoolOptions& threads);
  void save(const std::filesystem::path& path) const;

  // Rows of a file as this model wants them: its columns, read and repaired as in training.
  Repaired read(const std::string& file) const;
  // The same for a file that is written otherwise: `settings` are reading_settings() with changes.
  Repaired read(const std::string& file, const DataSettings& settings) const;
  DataSettings reading_settings() const;

  // The next steps after the last row that has targets.
  SeriesForecast forecast(const std::string& file, const ForecastOptions& options = {});
  SeriesForecast forecast(const Series& series, const ForecastOptions& options = {});

  // Scores on every window of the part. Throws Error(kData) where the series has no such rows.
  EvaluatedRows evaluate(const Series& series, Part part = Part::kHeldOut);

  const artifact::Model& model() const { return model_; }
  // Threads that it has, and that it was to have: the system may give fewer.
  std::size_t threads() const { return threads_->size(); }
  std::size_t threads_asked() const { return threads_->asked(); }
  // What training came to; only of a model that was fitted here.
  const train::Fitted* fitted() const { return fitted_.get(); }

 private:
  Forecaster(artifact::Model model, std::unique_ptr<ThreadPool> threads);

  std::unique_ptr<ThreadPool> threads_;
  artifact::Model model_;
  std::unique_ptr<train::Fitted> fitted_;
  std::unique_ptr<model::Inference> inference_;
};

}  // namespace pulsecast
