// A case of ./dev bench peers: a dataset's shape with the recipe that the paper's authors ran.
//
// Speed does not depend on the values, so they are made up; rows, channels, step, calendar, split
// and settings are those of the dataset.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/train/plan.h"
#include "pulsecast/train/regimen.h"
#include "pulsecast/train/training_step.h"

namespace pulsecast::bench {

struct CaseName {
  std::string dataset;
  std::int64_t horizon;
  std::int64_t rows = 0;                     // 0: as many as the dataset has
  std::int64_t channels = 0;                 // 0: as many as the dataset has
  std::int64_t lookback = 0;                 // 0: the recipe's
  std::int64_t batch = 0;                    // 0: the recipe's
  std::optional<BackboneKind> alone = {};    // this one as published, without PULSE
  std::optional<PeriodSource> periods = {};  // that cut the history; else the default

  std::string text() const;
};

Settings settings_of(const CaseName& name);
Series series_of(const CaseName& name);

// Our side of a case, ready to be timed.
class PeerCase {
 public:
  PeerCase(const CaseName& name, ThreadPool& pool);

  const train::Plan& plan() const { return plan_; }
  // What the peer needs to build the same: shapes, splits, settings.
  nlohmann::json description() const;

  // Each runs once. A step is forward, loss, backward and Adam on a batch that is there.
  void step();
  void epoch();                          // of training, batches gathered as it goes
  double evaluation();                   // of every test window; its MSE
  void forecast_window(std::size_t at);  // one, gathered before
  std::size_t steps_an_epoch() const { return training_->size() / plan_.batch; }

 private:
  void prepare_step();
  void prepare_window();

  CaseName name_;
  ThreadPool& pool_;
  Series series_;
  train::Plan plan_;
  train::Regimen regimen_;
  Scaler scaler_;
  std::optional<ScaledSeries> scaled_;
  std::optional<Windows> training_;
  std::optional<Windows> test_;
  std::unique_ptr<model::Pulse> pulse_;
  std::optional<Batcher> batcher_;
  const Batch* batch_ = nullptr;
  std::optional<train::TrainingStep> training_step_;
  std::optional<train::MixupDraws> draws_;
  std::vector<float> moment1_;
  std::vector<float> moment2_;
  std::uint32_t steps_ = 0;
  std::optional<Batcher> window_batcher_;
  const Batch* window_ = nullptr;
  std::optional<model::Inference> inference_;
  std::optional<model::Inference::Keeping> keeping_;
  Arena arena_;
  Forecast forecast_;
};

}  // namespace pulsecast::bench
