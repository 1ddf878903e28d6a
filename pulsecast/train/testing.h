// For tests: a series, its windows and a model of few weights, trained in milliseconds.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/base/testing.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/train/trainer.h"

namespace pulsecast::train::testing {

inline double largest(std::span<const float> values) {
  double most = 0.0;
  for (const float value : values) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

// Hourly, with a daily cycle; noise enough that more training comes to overfit.
inline Series small_series(std::int64_t rows = 160, std::int64_t channels = 2) {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = channels;
  settings.noise = 0.2;
  return make_series(Synthetic(settings));
}

// Of the model of a small run.
inline model::ModelShape small_shape() {
  return {.lookback = 12,
          .horizon = 6,
          .channels = 2,
          .features = 1,
          .period = 24,
          .hidden = 24,
          .codebook_rows = 8,
          .time_kernel = 3,
          .time_width_a = 4,
          .time_width_b = 4,
          .patch = 4,
          .router_width = 4};
}

// Everything that a TrainingTask refers to. Of 160 rows 120 train: 103 windows, six steps of 16 an
// epoch; the other 40 validate, 35 windows.
class SmallRun {
 public:
  static constexpr std::size_t kBatch = 16, kTrained = 120;
  static constexpr std::uint32_t kSteps = 6;

  explicit SmallRun(const model::ModelShape& shape = small_shape())
      : series_(small_series()),
        scaled_(series_, Scaler::fit(series_, {0, kTrained}),
                {{CalendarFeature::kHourOfDay}, 24, PhaseSource::kTimestamp}),
        training_(scaled_, shape.lookback, shape.horizon, {0, kTrained}, History::kInside),
        validation_(scaled_, shape.lookback, shape.horizon, {kTrained, series_.rows()},
                    History::kReaches),
        pulse_(shape) {}
  SmallRun(const SmallRun&) = delete;
  SmallRun& operator=(const SmallRun&) = delete;

  // The task from the model's start: call it anew for every training.
  TrainingTask task() {
    Regimen settings;
    settings.epochs = 3;
    settings.checkpoint_seconds = 1e9;
    pulse_.initialise(static_cast<std::uint64_t>(settings.seed));
    return {.pulse = pulse_,
            .training = training_,
            .validation = &validation_,
            .settings = settings,
            .batch = kBatch};
  }

  model::Pulse& pulse() { return pulse_; }
  const Windows& training() const { return training_; }
  const Windows& validation() const { return validation_; }
  std::vector<float> weights() {
    const auto own = pulse_.parameters().weights();
    return {own.begin(), own.end()};
  }

 private:
  Series series_;
  ScaledSeries scaled_;
  Windows training_;
  Windows validation_;
  model::Pulse pulse_;
};

// Settings with which the small run soon fits its noise, so that validation gets worse again.
inline void overfit(Regimen& settings) {
  settings.epochs = 60;
  settings.learning_rate = 0.05;
  settings.schedule = ScheduleKind::kPlain;
  settings.loss = LossKind::kSquared;
  settings.mixup = Mixup::kNone;
}

// How a training ended, without what differs from run to run: the time it took. NaN is no value to
// compare, so it is told apart by being absent.
struct Ending {
  std::vector<float> weights;
  std::vector<std::vector<double>> history;
  std::uint32_t best_epoch = 0;

  friend bool operator==(const Ending&, const Ending&) = default;
};

inline Ending ending_of(const TrainingResult& result, SmallRun& run) {
  Ending ending{run.weights(), {}, result.best_epoch};
  for (const EpochRecord& record : result.history) {
    ending.history.push_back(
        {static_cast<double>(record.epoch), record.learning_rate, record.training_loss});
    if (record.validation_mse == record.validation_mse) {
      ending.history.back().push_back(record.validation_mse);
    }
  }
  return ending;
}

// A folder of its own for a test that writes files.
class WithFolder : public ::testing::Test {
 protected:
  const pulsecast::testing::TemporaryFolder own_;
  const std::filesystem::path folder_ = own_.path();
};

}  // namespace pulsecast::train::testing
