#include "pulsecast/train/fit.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/error.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/train/checkpoint.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

Settings small_settings(const std::string& lookback, const std::string& horizon) {
  Settings settings;
  settings.data.lookback = lookback;
  settings.data.horizon = horizon;
  settings.model.hidden = 16;
  settings.training.epochs = 2;
  return settings;
}

Fitted fit_with(const Series& series, const Settings& settings, bool refit = false,
                const FitHooks& hooks = {}) {
  ThreadPool pool(1);
  return fit(series, settings, refit, hooks, pool);
}

std::vector<float> weights_of(const Fitted& fitted) {
  const auto own = fitted.ensemble.lead().parameters().weights();
  return {own.begin(), own.end()};
}

// Trained, validated, and every weight a number.
void expect_trained(const Fitted& fitted) {
  ASSERT_FALSE(fitted.result.history.empty());
  for (const EpochRecord& record : fitted.result.history) {
    EXPECT_TRUE(std::isfinite(record.training_loss));
    EXPECT_TRUE(std::isfinite(record.validation_mse));
  }
  const std::vector<float> weights = weights_of(fitted);
  EXPECT_TRUE(std::ranges::all_of(weights, [](float w) { return std::isfinite(w); }));
  model::Pulse untrained(fitted.plan.shape);
  untrained.initialise(2024);
  EXPECT_FALSE(std::ranges::equal(untrained.parameters().weights(), weights));
}

class FitWithCheckpoint : public testing::WithFolder {
 protected:
  // What an older run with other settings leaves when it is stopped in its second training.
  void SetUp() override {
    TrainingState state;
    state.weights = state.moment1 = state.moment2 = {1.0f};
    save_checkpoint(refit_, state, "another run: yes\n");
    hooks_.checkpoint = folder_ / "model.checkpoint";
    hooks_.watch.on_remark = [this](const std::string& text) { remarks_ += text + "\n"; };
  }

  const std::filesystem::path refit_ = folder_ / "model.checkpoint.refit";
  FitHooks hooks_;
  std::string remarks_;
};

TEST_F(FitWithCheckpoint, ANewRunRemovesWhatAnOlderOneLeft) {
  hooks_.on_epoch = [&](std::span<const EpochRecord>, bool) {
    EXPECT_FALSE(std::filesystem::exists(refit_));
  };
  fit_with(testing::small_series(), small_settings("12", "6"), false, hooks_);
  EXPECT_FALSE(std::filesystem::exists(refit_));
}

TEST_F(FitWithCheckpoint, AResumedRunBeginsItsSecondTrainingAnew) {
  const Series series = testing::small_series();
  const Settings settings = small_settings("12", "6");
  hooks_.resume = true;
  const Fitted resumed = fit_with(series, settings, true, hooks_);
  EXPECT_NE(remarks_.find("is of another run; the training on all rows begins anew"),
            std::string::npos)
      << remarks_;
  EXPECT_EQ(weights_of(resumed), weights_of(fit_with(series, settings, true)));
}

TEST(Fit, ModelsOfLittleTrainingAreNoFaults) {
  const Fitted fitted = fit_with(testing::small_series(), small_settings("12", "6"));
  EXPECT_GT(fitted.naive_validation, 0.1);
  EXPECT_TRUE(fitted.warnings.empty()) << fitted.warnings.front();
}

TEST(Fit, AModelFarWorseThanNaiveIsWarnedOf) {
  Settings settings = small_settings("12", "6");
  settings.training.learning_rate = 10.0;
  settings.training.epochs = 1;
  const Fitted fitted = fit_with(testing::small_series(), settings);
  ASSERT_EQ(fitted.warnings.size(), 1u) << fitted.result.best_validation;
  EXPECT_TRUE(fitted.warnings.front().starts_with("the model is far worse than naive: "))
      << fitted.warnings.front();
}

// Nothing to be better at than naive, so nothing to warn of.
TEST(Fit, AConstantSeriesIsNoFault) {
  Series series = testing::small_series();
  for (Channel& channel : series.channels) std::ranges::fill(channel.values, 0.0);
  const Fitted fitted = fit_with(series, small_settings("12", "6"));
  EXPECT_TRUE(fitted.warnings.empty()) << fitted.warnings.front();
}

TEST_F(FitWithCheckpoint, ASecondTrainingThatComesToNothingLeavesTheValidatedModel) {
  const Series series = testing::small_series();
  const Settings settings = small_settings("12", "6");
  const Fitted validated = fit_with(series, settings);
  bool is_second = false;
  hooks_.watch.on_remark = [&](const std::string& text) {
    if (text.starts_with("training again")) is_second = true;
  };
  hooks_.on_step = [&](const StepReport&) {
    if (is_second) throw_error(ErrorKind::kTraining, "epoch 1, step 1", "made for this test");
  };
  const Fitted fitted = fit_with(series, settings, true, hooks_);
  EXPECT_FALSE(fitted.is_refit);
  EXPECT_EQ(weights_of(fitted), weights_of(validated));
  ASSERT_EQ(fitted.warnings.size(), 1u);
  EXPECT_EQ(fitted.warnings.front(),
            "the training on all rows came to nothing (epoch 1, step 1: made for this test); the "
            "model is the validated one");
}

TEST(Fit, OddSizes) {
  struct Case {
    const char* lookback;
    const char* horizon;
    std::int64_t channels;
    std::optional<std::int64_t> period;
    std::optional<std::int64_t> patch;
  };
  for (const Case& c :
       {Case{"97", "31", 1, {}, {}}, Case{"2", "1", 1, {}, {}}, Case{"2", "1", 3, 1, 1},
        Case{"24", "12", 2, 24, 7}, Case{"24", "12", 2, 24, 100}, Case{"13", "5", 2, 7, 4},
        Case{"24", "1", 5, 168, {}}}) {
    SCOPED_TRACE(std::string(c.lookback) + " to " + c.horizon);
    Settings settings = small_settings(c.lookback, c.horizon);
    settings.data.period = c.period;
    settings.model.patch = c.patch;
    for (const CodebookOrder order : {CodebookOrder::kReference, CodebookOrder::kCalendar}) {
      settings.model.codebook_order = order;
      expect_trained(fit_with(testing::small_series(400, c.channels), settings));
    }
  }
}

TEST(Fit, FewerChannelsThanTheShrinkFactors) {
  Settings settings = small_settings("24", "12");
  settings.model.time_shrink_a = 8;
  settings.model.time_shrink_b = 4;
  settings.model.time_width_min = 1;
  const Fitted fitted = fit_with(testing::small_series(300, 2), settings);
  EXPECT_EQ(fitted.plan.shape.time_width_a, 1u);
  EXPECT_EQ(fitted.plan.shape.time_width_b, 1u);
  expect_trained(fitted);
}

TEST(Fit, AThousandChannels) {
  Settings settings = small_settings("24", "12");
  settings.data.period = 24;
  settings.model.time_shrink_a = 8;
  settings.model.time_shrink_b = 8;
  settings.training.epochs = 1;
  settings.training.batch = 8;
  const Fitted fitted = fit_with(testing::small_series(70, 1000), settings);
  EXPECT_EQ(fitted.plan.shape.channels, 1000u);
  expect_trained(fitted);
}

TEST(Fit, WithoutACycleThePeriodIsOne) {
  SyntheticSettings noise;
  noise.rows = 400;
  noise.channels = 2;
  noise.daily = noise.weekly = noise.trend = 0.0;
  const Fitted fitted = fit_with(make_series(Synthetic(noise)), small_settings("24", "12"));
  EXPECT_EQ(fitted.plan.shape.period, 1u);
  expect_trained(fitted);
}

TEST(Fit, EveryAblationTrains) {
  for (const bool anchor : {true, false}) {
    for (const bool router : {true, false}) {
      Settings settings = small_settings("24", "12");
      settings.model.anchor = anchor;
      settings.model.router = router;
      expect_trained(fit_with(testing::small_series(300), settings));
    }
  }
}

// Inside PULSE and alone, at sizes that nothing divides and at the smallest there are.
// Few rows and one epoch: the large kernels of some are slow without optimisation.
TEST(Fit, EveryBackboneTrains) {
  const Series series = testing::small_series(160);
  for (const auto& backbone : kChoices<BackboneKind>) {
    for (const auto& [lookback, horizon] :
         {std::pair{"25", "13"}, std::pair{"2", "1"}, std::pair{"13", "30"}}) {
      SCOPED_TRACE(std::string(backbone.name) + " " + lookback + " to " + horizon);
      Settings settings = small_settings(lookback, horizon);
      settings.data.period = 7;
      settings.model.backbone = backbone.value;
      settings.model.width = 8;
      settings.model.heads = 2;
      settings.model.feed_forward = 8;
      settings.training.epochs = 1;
      const Fitted inside = fit_with(series, settings);
      expect_trained(inside);
      EXPECT_TRUE(inside.plan.shape.anchor);
      settings.model.model = alone(backbone.value);
      const Fitted lone = fit_with(series, settings);
      expect_trained(lone);
      EXPECT_TRUE(lone.plan.shape.alone);
      EXPECT_FALSE(lone.plan.shape.anchor || lone.plan.shape.router);
      EXPECT_EQ(lone.plan.shape.backbone, backbone.value);
    }
  }
}

// Known columns join the features where asked to; past columns are there and are not read by this
// model.
TEST(Fit, KnownAndPastColumns) {
  const Series three = testing::small_series(300, 3);
  Series targets = three;
  targets.channels.resize(2);
  Series known = three;
  known.channels[2].role = Role::kKnown;
  Series past = three;
  past.channels[2].role = Role::kPast;
  Settings settings = small_settings("24", "12");
  settings.model.known_as = KnownAs::kFeatures;
  const Fitted plain = fit_with(targets, settings);
  const Fitted with_known = fit_with(known, settings);
  const Fitted with_past = fit_with(past, settings);
  expect_trained(with_known);
  EXPECT_EQ(with_known.plan.shape.channels, 2u);
  EXPECT_EQ(with_known.plan.shape.features, plain.plan.shape.features + 1);
  EXPECT_EQ(with_known.scaler.channels(), 3u);
  EXPECT_EQ(with_past.scaler.channels(), 3u);
  EXPECT_EQ(weights_of(with_past), weights_of(plain));
}

TEST(Fit, RefitTrainsOnEveryRowForTheBestNumberOfEpochs) {
  const Series series = testing::small_series(400);
  Settings settings = small_settings("24", "12");
  settings.training.epochs = 4;
  settings.training.calibration = 0.0;
  const Fitted once = fit_with(series, settings);
  std::vector<std::string> remarks;
  FitHooks hooks;
  hooks.watch.on_remark = [&](const std::string& remark) { remarks.push_back(remark); };
  const Fitted again = fit_with(series, settings, true, hooks);

  EXPECT_EQ(once.trained, (RowRange{0, 360}));
  EXPECT_EQ(again.trained, (RowRange{0, 400}));
  EXPECT_EQ(again.training_windows, once.training_windows + 40);
  EXPECT_EQ(again.validation_windows, once.validation_windows);
  EXPECT_EQ(again.result.best_epoch, once.result.best_epoch);
  EXPECT_EQ(again.result.best_validation, once.result.best_validation);
  ASSERT_EQ(again.result.history.size(), once.result.history.size());
  EXPECT_NE(again.scaler.means(), once.scaler.means()) << "the scaler sees the new rows too";
  EXPECT_NE(weights_of(again), weights_of(once));
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_TRUE(remarks[0].starts_with("a ridge, ")) << remarks[0];
  EXPECT_TRUE(remarks[1].starts_with("training again on all 400 rows, for ")) << remarks[1];
}

TEST(Fit, ValidatesOnSeveralBlocks) {
  const Series series = testing::small_series(3000);
  Settings settings = small_settings("24", "12");
  const Fitted one = fit_with(series, settings);
  settings.training.validation_blocks = 1;
  EXPECT_EQ(weights_of(fit_with(series, settings)), weights_of(one));
  settings.training.validation_blocks = 4;
  const Fitted four = fit_with(series, settings);
  expect_trained(four);
  ASSERT_TRUE(four.plan.spread);
  EXPECT_EQ(four.validation_windows, four.plan.spread->origins(12));
  EXPECT_EQ(four.training_windows, four.plan.spread->training_windows(24, 12));
  EXPECT_NE(weights_of(four), weights_of(one));
  ASSERT_TRUE(four.ranges);
  EXPECT_EQ(four.ranges->all_scores(), one.ranges->all_scores()) << "of the same rows";
  EXPECT_EQ(four.trained, (RowRange{0, four.plan.spread->newest().begin - 12}));
  ThreadPool pool(3);
  EXPECT_EQ(weights_of(fit(series, settings, false, {}, pool)), weights_of(four));
  const Fitted again = fit_with(series, settings, true);
  EXPECT_EQ(again.trained, (RowRange{0, 3000}));
  EXPECT_EQ(again.training_windows, 3000u - 36u + 1u) << "blocks train too when nothing validates";
}

class FitResume : public testing::WithFolder {};

// Stopped in the first training and in the second, with validated numbers of the first.
TEST_F(FitResume, ARefitGoesOnWhereverItStopped) {
  const Series series = testing::small_series(200);
  Settings settings = small_settings("12", "6");
  settings.training.epochs = 2;
  settings.training.batch = 32;
  std::uint32_t steps = 0;
  FitHooks counting;
  counting.on_step = [&](const StepReport&) { ++steps; };
  const Fitted whole = fit_with(series, settings, true, counting);
  for (std::uint32_t stop_at = 1; stop_at <= steps; stop_at += 3) {
    FitHooks hooks;
    hooks.checkpoint = folder_ / ("run" + std::to_string(stop_at));
    std::atomic<bool> stop = false;
    std::uint32_t done = 0;
    hooks.watch.is_cancelled = [&] { return stop.load(); };
    hooks.on_step = [&](const StepReport&) { stop = ++done == stop_at; };
    EXPECT_THROW(fit_with(series, settings, true, hooks), Error);
    FitHooks on;
    on.checkpoint = hooks.checkpoint;
    on.resume = true;
    const Fitted resumed = fit_with(series, settings, true, on);
    EXPECT_EQ(weights_of(resumed), weights_of(whole)) << "stopped after step " << stop_at;
    EXPECT_EQ(resumed.result.best_epoch, whole.result.best_epoch);
    EXPECT_EQ(resumed.result.best_validation, whole.result.best_validation);
  }
}

// What is kept with the weights but not learned by gradients is resumed too.
TEST_F(FitResume, BuffersGoOnWhereTheyStopped) {
  const Series series = testing::small_series(200);
  for (const BackboneKind backbone : {BackboneKind::kPatchTst, BackboneKind::kTimesNet}) {
    SCOPED_TRACE(choice_name(backbone));
    Settings settings = small_settings("12", "6");
    settings.model.model = alone(backbone);
    settings.model.width = settings.model.feed_forward = 4;
    settings.model.heads = 2;
    settings.training.epochs = 2;
    const Fitted whole = fit_with(series, settings);
    const autodiff::Parameters& parameters = whole.ensemble.lead().parameters();
    EXPECT_LT(parameters.learned_count(), parameters.count());
    FitHooks hooks;
    hooks.checkpoint = folder_ / std::string(choice_name(backbone));
    std::atomic<bool> stop = false;
    std::uint32_t done = 0;
    hooks.watch.is_cancelled = [&] { return stop.load(); };
    hooks.on_step = [&](const StepReport&) { stop = ++done == 3; };
    EXPECT_THROW(fit_with(series, settings, false, hooks), Error);
    FitHooks on;
    on.checkpoint = hooks.checkpoint;
    on.resume = true;
    EXPECT_EQ(weights_of(fit_with(series, settings, false, on)), weights_of(whole));
  }
}

TEST_F(FitResume, OtherSettingsOrDataAreRefusedByName) {
  const Series series = testing::small_series(200);
  const Settings settings = small_settings("12", "6");
  FitHooks hooks;
  hooks.checkpoint = folder_ / "run";
  hooks.data_checksum = "abc";
  fit_with(series, settings, false, hooks);
  hooks.resume = true;
  const auto says = [&](const Series& other, const Settings& changed, const std::string& text) {
    try {
      fit_with(other, changed, false, hooks);
      ADD_FAILURE() << "resumed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
    }
  };
  Settings changed = settings;
  changed.training.seed = 1;
  says(series, changed, "it has 'training.seed: 2024', this run has 'training.seed: 1'");
  changed = settings;
  changed.model.hidden = 17;
  says(series, changed, "it has 'model.hidden: 16', this run has 'model.hidden: 17'");
  hooks.data_checksum = "abd";
  says(series, settings, "it has 'data checksum: abc', this run has 'data checksum: abd'");
  hooks.data_checksum = "abc";
  says(testing::small_series(220), settings, "it has 'rows: 0 to 180'");
  // When to save changes no bit.
  changed = settings;
  changed.training.checkpoint_seconds = 0.0;
  EXPECT_NO_THROW(fit_with(series, changed, false, hooks));
}

// Found before an epoch is spent, and by its place rather than by a loss that is not finite.
TEST(Fit, AValueTooFarOutIsADataError) {
  Series series = testing::small_series(200);
  series.channels[1].values[195] = 1e17;
  try {
    fit_with(series, small_settings("12", "6"));
    ADD_FAILURE() << "trained";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData) << error.message();
    EXPECT_EQ(error.place().column, series.channels[1].name);
    EXPECT_NE(error.message().find("1e+17 at 2024-01-09 03:00:00 (row 196) is too far"),
              std::string::npos)
        << error.message();
  }
}

TEST(Fit, TooFewRowsAreADataError) {
  const auto says = [](std::int64_t rows, const char* lookback, const char* horizon,
                       const std::string& text) {
    try {
      fit_with(testing::small_series(rows), small_settings(lookback, horizon));
      ADD_FAILURE() << "trained on " << rows << " rows";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.message();
      EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
    }
  };
  says(100, "97", "31", "the training rows 1 to 69 hold no window");
  says(20, "12", "6", "the training rows 1 to 14 hold no window");
}

}  // namespace
}  // namespace pulsecast::train
