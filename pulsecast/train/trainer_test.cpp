#include "pulsecast/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/error.h"
#include "pulsecast/train/checkpoint.h"
#include "pulsecast/train/testing.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

using testing::Ending;
using testing::SmallRun;

template <typename Change>
Ending ending(std::size_t threads, Change change) {
  SmallRun run;
  ThreadPool pool(threads);
  TrainingTask task = run.task();
  change(task);
  return testing::ending_of(train(task, pool), run);
}

TEST(Trainer, SameBitsOnAnyNumberOfThreadsAndInEveryRun) {
  const Ending one = ending(1, [](TrainingTask&) {});
  ASSERT_EQ(one.history.size(), 3u);
  EXPECT_LT(one.history[2][2], one.history[0][2]) << "the loss goes down";
  EXPECT_EQ(ending(1, [](TrainingTask&) {}), one);
  for (const std::size_t threads : {2u, 4u}) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(ending(threads, [](TrainingTask&) {}), one) << threads;
  }
  EXPECT_NE(ending(2, [](TrainingTask& task) { task.settings.seed = 1; }), one);
}

// Every loss and every way to mix has the same promise.
TEST(Trainer, SameBitsForEveryLossAndMixup) {
  for (const LossKind loss : {LossKind::kFrequency, LossKind::kSquared, LossKind::kAbsolute}) {
    for (const Mixup mixup : {Mixup::kStatisticAware, Mixup::kPlain, Mixup::kNone}) {
      const auto change = [&](TrainingTask& task) {
        task.settings.epochs = 2;
        task.settings.loss = loss;
        task.settings.mixup = mixup;
      };
      EXPECT_EQ(ending(1, change), ending(3, change));
    }
  }
}

TEST(Trainer, StopsEarlyAndKeepsTheBestEpoch) {
  constexpr std::size_t kPatience = 2;
  SmallRun run;
  ThreadPool pool(2);
  TrainingTask task = run.task();
  testing::overfit(task.settings);
  task.settings.patience = kPatience;
  std::vector<bool> bests;
  task.on_epoch = [&](std::span<const EpochRecord> history, bool is_best) {
    bests.push_back(is_best);
    EXPECT_EQ(history.size(), bests.size());
  };
  const TrainingResult result = train(task, pool);
  const Ending kept = testing::ending_of(result, run);

  ASSERT_LT(result.history.size(), 60u) << "this series should overfit";
  ASSERT_GT(result.best_epoch, 1u);
  EXPECT_EQ(result.history.size(), result.best_epoch + kPatience);
  double least = result.history[0].validation_mse;
  ASSERT_EQ(bests.size(), result.history.size());
  for (std::size_t i = 0; i < bests.size(); ++i) {
    const double error = result.history[i].validation_mse;
    EXPECT_EQ(bests[i], i == 0 || error < least) << "epoch " << i + 1;
    least = std::min(least, error);
  }
  EXPECT_EQ(result.best_validation, least);
  EXPECT_EQ(result.history[result.best_epoch - 1].validation_mse, least);

  // The weights are those of the best epoch: they have its error, and a run that ends there has
  // the same.
  Validation validation(run.pulse(), run.validation(), SmallRun::kBatch, pool);
  EXPECT_EQ(validation.measure().mse, least);
  EXPECT_EQ(ending(2,
                   [&](TrainingTask& shorter) {
                     testing::overfit(shorter.settings);
                     shorter.settings.epochs = result.best_epoch;
                     shorter.settings.patience = kPatience;
                   })
                .weights,
            kept.weights);
}

TEST(Trainer, PatienceIsHonouredToTheEpoch) {
  for (const std::int64_t patience : {1, 3}) {
    SmallRun run;
    ThreadPool pool(2);
    TrainingTask task = run.task();
    testing::overfit(task.settings);
    task.settings.patience = patience;
    const TrainingResult result = train(task, pool);
    std::int64_t since = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const EpochRecord& record : result.history) {
      EXPECT_LT(since, patience) << "epoch " << record.epoch << " should not have run";
      since = record.validation_mse < least ? 0 : since + 1;
      least = std::min(least, record.validation_mse);
    }
    EXPECT_EQ(since, patience);
  }
}

TEST(Trainer, WithoutValidationTheLastEpochIsKept) {
  SmallRun run;
  ThreadPool pool(2);
  TrainingTask task = run.task();
  task.validation = nullptr;
  task.settings.epochs = 4;
  task.settings.patience = 1;
  const TrainingResult result = train(task, pool);
  EXPECT_EQ(result.history.size(), 4u);
  EXPECT_EQ(result.best_epoch, 4u);
  EXPECT_TRUE(std::isnan(result.best_validation));
  // Validation looks on and changes nothing.
  const std::vector<float> weights = run.weights();
  EXPECT_NE(weights, ending(2, [](TrainingTask& three) {
                       three.validation = nullptr;
                       three.settings.epochs = 3;
                     }).weights);
}

TEST(Trainer, ReportsEveryStep) {
  SmallRun run;
  ThreadPool pool(2);
  TrainingTask task = run.task();
  std::vector<StepReport> reports;
  task.on_step = [&](const StepReport& report) { reports.push_back(report); };
  const TrainingResult result = train(task, pool);
  ASSERT_EQ(reports.size(), 3 * SmallRun::kSteps);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_EQ(reports[i].epoch, i / SmallRun::kSteps + 1);
    EXPECT_EQ(reports[i].epochs, 3u);
    EXPECT_EQ(reports[i].step, i % SmallRun::kSteps + 1);
    EXPECT_EQ(reports[i].steps, SmallRun::kSteps);
  }
  EXPECT_EQ(reports.back().mean_loss, result.history.back().training_loss);
  EXPECT_GT(result.memory, run.weights().size() * sizeof(float));
}

TEST(Trainer, AnEpochMayBeAPartOfTheWindows) {
  SmallRun run;
  ThreadPool pool(2);
  TrainingTask task = run.task();
  task.epoch_steps = 2;
  std::size_t steps = 0;
  task.on_step = [&](const StepReport& report) {
    ++steps;
    EXPECT_EQ(report.steps, 2u);
  };
  train(task, pool);
  EXPECT_EQ(steps, 3 * 2u);
}

// Fewer windows than a batch: the batch is all of them.
TEST(Trainer, ABatchLargerThanTheWindows) {
  SmallRun run;
  ThreadPool pool(2);
  TrainingTask task = run.task();
  task.batch = 100000;
  std::uint32_t steps = 0;
  task.on_step = [&](const StepReport& report) { steps = report.steps; };
  EXPECT_EQ(train(task, pool).history.size(), 3u);
  EXPECT_EQ(steps, 1u);
}

// The mean over windows, whatever the batches they come in: none is dropped or counted twice.
TEST(Validation, IsTheMeanOverEveryWindow) {
  SmallRun run;
  run.task();
  ThreadPool pool(2);
  const Windows& windows = run.validation();
  ASSERT_EQ(windows.size(), 35u);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(1), arena);
  Forecast forecast = allocate_forecast(windows.shape(1), arena);
  model::Inference inference(run.pulse(), pool);
  double squared = 0.0, absolute = 0.0;
  for (std::uint32_t window = 0; window < windows.size(); ++window) {
    windows.gather({&window, 1}, batch);
    inference.forecast(batch, forecast);
    for (std::size_t i = 0; i < forecast.values.size(); ++i) {
      const double error = static_cast<double>(forecast.values[i]) - batch.target[i];
      squared += error * error;
      absolute += std::abs(error);
    }
  }
  const auto values = static_cast<double>(windows.size() * forecast.values.size());
  for (const std::size_t size : {1u, 7u, 16u, 35u, 1000u}) {
    Validation validation(run.pulse(), windows, size, pool);
    for (int i = 0; i < 2; ++i) {
      const Errors errors = validation.measure();
      EXPECT_NEAR(errors.mse * values / squared, 1.0, 1e-6) << "batches of " << size;
      EXPECT_NEAR(errors.mae * values / absolute, 1.0, 1e-6) << "batches of " << size;
    }
  }
}

class NonFinite : public testing::WithFolder {
 protected:
  static Error failure(const TrainingTask& task) {
    ThreadPool pool(2);
    try {
      train(task, pool);
    } catch (const Error& error) {
      return error;
    }
    return {ErrorKind::kUsage, "trained"};
  }
};

// Training stops at the step that comes to nothing, and the checkpoint is the one from before it.
TEST_F(NonFinite, ALearningRateOutOfHandStopsTrainingAndKeepsTheLastGoodCheckpoint) {
  SmallRun run;
  TrainingTask task = run.task();
  const std::filesystem::path path = folder_ / "run.checkpoint";
  task.settings.learning_rate = 1e20;
  task.settings.checkpoint_seconds = 0.0;
  task.checkpoint = {path, "small", false};
  const Error error = failure(task);
  EXPECT_EQ(error.kind(), ErrorKind::kTraining);
  EXPECT_NE(error.message().find("not finite"), std::string::npos) << error.message();
  EXPECT_EQ(
      error.remedies(),
      (std::vector{remedy::smaller("learning-rate", "may keep it finite"),
                   remedy::act(RemedyAction::kResume, "to go on with it from " + path.string())}));
  const TrainingState state = load_checkpoint(path, "small")->state;
  EXPECT_EQ(state.epoch, 1u);
  EXPECT_GE(state.steps_done, 1u);
  EXPECT_EQ(error.where(), "epoch 1, step " + std::to_string(state.steps_done + 1));
  EXPECT_TRUE(std::ranges::all_of(state.weights, [](float w) { return std::isfinite(w); }));
}

// Damages the weights when the first epoch is done, as nothing but a fault in training would.
void break_after_first_epoch(SmallRun& run, TrainingTask& task) {
  task.on_epoch = [&run](std::span<const EpochRecord> history, bool) {
    if (history.size() == 1) run.pulse().parameters().weights()[0] = std::nanf("");
  };
}

TEST_F(NonFinite, TheBestEpochBeforeIsKept) {
  SmallRun run;
  ThreadPool pool(2);
  TrainingTask one = run.task();
  one.settings.epochs = 1;
  train(one, pool);
  const std::vector<float> first = run.weights();

  TrainingTask task = run.task();
  break_after_first_epoch(run, task);
  const TrainingResult result = train(task, pool);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->epoch, 2u);
  EXPECT_EQ(result.fault->step, 1u);
  EXPECT_EQ(result.best_epoch, 1u);
  EXPECT_EQ(result.history.size(), 1u);
  EXPECT_EQ(run.weights(), first);
}

// Without validation nobody knows whether what came before the fault was any good.
TEST_F(NonFinite, WithoutValidationNothingIsKept) {
  SmallRun run;
  TrainingTask task = run.task();
  task.validation = nullptr;
  break_after_first_epoch(run, task);
  EXPECT_EQ(failure(task).where(), "epoch 2, step 1");
}

TEST_F(NonFinite, ASmallerLearningRateGoesOnFromTheBestEpoch) {
  const std::filesystem::path path = folder_ / "run.checkpoint";
  ThreadPool pool(2);
  SmallRun run;
  TrainingTask task = run.task();
  task.checkpoint = {path, "training.learning-rate: 0.001\n", false};
  break_after_first_epoch(run, task);
  const TrainingResult broken = train(task, pool);
  ASSERT_TRUE(broken.fault);
  const std::vector<float> best = run.weights();
  const TrainingState saved = load_checkpoint(path, task.checkpoint->fingerprint)->state;
  EXPECT_EQ(saved.weights, best);
  EXPECT_EQ(saved.epoch, 2u);
  EXPECT_EQ(saved.adam_steps, 0);

  TrainingTask again = run.task();
  std::string remarks;
  again.settings.learning_rate = 0.0005;
  again.checkpoint = {path, "training.learning-rate: 0.0005\n", true};
  again.watch.on_remark = [&](const std::string& text) { remarks += text + "\n"; };
  const TrainingResult result = train(again, pool);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.history.size(), 3u);
  EXPECT_EQ(remarks,
            "resumed at epoch 2, step 0\n"
            "goes on with a learning rate of 0.0005; it was 0.001 so far\n");
}

// The one step of the epoch had a loss; what it made of the weights forecasts nothing.
TEST_F(NonFinite, AValidationErrorThatIsNotFiniteStopsTraining) {
  SmallRun run;
  TrainingTask task = run.task();
  task.settings.learning_rate = 1e20;
  task.batch = run.training().size();
  const Error error = failure(task);
  EXPECT_EQ(error.kind(), ErrorKind::kTraining);
  EXPECT_EQ(error.where(), "epoch 1");
  EXPECT_NE(error.message().find("validation error is"), std::string::npos) << error.message();
  EXPECT_EQ(error.remedies(),
            std::vector<Remedy>{remedy::smaller("learning-rate", "may keep it finite")});
}

}  // namespace
}  // namespace pulsecast::train
