// A run that is stopped or killed and goes on ends with the bits of one that was left alone.

#include <fcntl.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"
#include "pulsecast/train/checkpoint.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

using testing::Ending;
using testing::SmallRun;

class Resume : public testing::WithFolder {
 protected:
  void SetUp() override {
    WithFolder::SetUp();
    path_ = folder_ / "run.checkpoint";
  }

  // Trains with `change` made to the task; returns the ending, or the error's kind.
  template <typename Change>
  Ending train_with(Change change, std::size_t threads = 1) {
    SmallRun run;
    ThreadPool pool(threads);
    TrainingTask task = run.task();
    change(task);
    return testing::ending_of(train(task, pool), run);
  }

  // Stops after `steps` steps, from the beginning or from the checkpoint.
  Error stop_after(std::uint32_t steps, bool resume) {
    std::atomic<bool> stop = false;
    std::uint32_t done = 0;
    try {
      train_with([&](TrainingTask& task) {
        task.checkpoint = {path_, "small", resume};
        task.watch.is_cancelled = [&] { return stop.load(); };
        task.on_step = [&](const StepReport&) { stop = ++done == steps; };
      });
    } catch (const Error& error) {
      return error;
    }
    return {ErrorKind::kUsage, "ran to its end"};
  }

  Ending resumed(std::size_t threads = 1) {
    return train_with(
        [&](TrainingTask& task) {
          task.checkpoint = {path_, "small", true};
        },
        threads);
  }

  std::filesystem::path path_;
};

TEST_F(Resume, StoppingSavesAndSaysHowToGoOn) {
  const Error error = stop_after(8, false);
  EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  EXPECT_EQ(error.message(), "stopped at epoch 2, step 2; saved in " + path_.string());
  EXPECT_EQ(error.remedies(), std::vector<Remedy>{remedy::act(RemedyAction::kResume, "to go on")});
  const TrainingState state = load_checkpoint(path_, "small")->state;
  EXPECT_EQ(state.epoch, 2u);
  EXPECT_EQ(state.steps_done, 2u);
  EXPECT_EQ(state.adam_steps, 8);
  EXPECT_EQ(state.history.size(), 1u);
}

TEST_F(Resume, StoppingWithoutACheckpointOnlyStops) {
  std::atomic<bool> stop = true;
  try {
    train_with([&](TrainingTask& task) { task.watch.is_cancelled = [&] { return stop.load(); }; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_EQ(error.message(), "stopped at epoch 1, step 1");
  }
}

TEST_F(Resume, FromEveryStepTheSameBits) {
  const Ending whole = train_with([](TrainingTask&) {});
  for (std::uint32_t steps = 1; steps <= 3 * SmallRun::kSteps; ++steps) {
    ASSERT_EQ(stop_after(steps, false).kind(), ErrorKind::kInterrupted) << steps;
    EXPECT_EQ(resumed(1 + steps % 3), whole) << "stopped after step " << steps;
  }
}

TEST_F(Resume, StoppedAgainAndAgain) {
  const Ending whole = train_with([](TrainingTask&) {});
  ASSERT_EQ(stop_after(1, false).kind(), ErrorKind::kInterrupted);
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(stop_after(2, true).kind(), ErrorKind::kInterrupted) << i;
  }
  EXPECT_EQ(resumed(), whole);
}

// A run that had ended ends again, without a step.
TEST_F(Resume, AfterTheEndNothingIsLeftToDo) {
  const auto with_checkpoint = [&](TrainingTask& task) {
    task.checkpoint = {path_, "small", false};
  };
  const Ending whole = train_with(with_checkpoint);
  const Ending again = train_with([&](TrainingTask& task) {
    task.checkpoint = {path_, "small", true};
    task.on_step = [](const StepReport&) { FAIL() << "no step was left"; };
  });
  EXPECT_EQ(again, whole);
}

// Patience is counted from the checkpoint's best epoch, not from where the run went on.
TEST_F(Resume, KeepsCountOfPatience) {
  const auto long_run = [](TrainingTask& task) {
    testing::overfit(task.settings);
    task.settings.patience = 2;
  };
  const Ending whole = train_with(long_run);
  ASSERT_LT(whole.history.size(), 60u);
  const auto last_epoch = static_cast<std::uint32_t>(whole.history.size());
  std::atomic<bool> stop = false;
  EXPECT_THROW(train_with([&](TrainingTask& task) {
                 long_run(task);
                 task.checkpoint = {path_, "small", false};
                 task.watch.is_cancelled = [&] { return stop.load(); };
                 task.on_step = [&](const StepReport& report) {
                   stop = report.epoch == last_epoch;
                 };
               }),
               Error);
  EXPECT_EQ(train_with([&](TrainingTask& task) {
              long_run(task);
              task.checkpoint = {path_, "small", true};
            }),
            whole);
}

TEST_F(Resume, WithoutAFileItBegins) {
  EXPECT_EQ(resumed(), train_with([](TrainingTask&) {}));
}

TEST_F(Resume, WithoutResumeTheFileIsWrittenOver) {
  ASSERT_EQ(stop_after(9, false).kind(), ErrorKind::kInterrupted);
  const Ending anew = train_with([&](TrainingTask& task) {
    task.checkpoint = {path_, "small", false};
    task.watch.on_remark = [](const std::string& remark) { FAIL() << remark; };
  });
  EXPECT_EQ(anew, train_with([](TrainingTask&) {}));
}

TEST_F(Resume, SaysWhereItGoesOn) {
  ASSERT_EQ(stop_after(9, false).kind(), ErrorKind::kInterrupted);
  std::vector<std::string> remarks;
  train_with([&](TrainingTask& task) {
    task.checkpoint = {path_, "small", true};
    task.watch.on_remark = [&](const std::string& remark) { remarks.push_back(remark); };
  });
  EXPECT_EQ(remarks, std::vector<std::string>{"resumed at epoch 2, step 3"});
}

TEST_F(Resume, ACheckpointOfAnotherModelIsRefused) {
  TrainingState state;
  state.weights = state.moment1 = state.moment2 = {1.0f, 2.0f};
  save_checkpoint(path_, state, "small");
  try {
    resumed();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    EXPECT_NE(error.message().find("it has 2 weights, the model "), std::string::npos);
  }
}

// The real thing: a process that saves after every step is killed without warning, ten times, in
// the middle of whatever it was doing.
class Kill : public Resume {
 protected:
  static constexpr std::int64_t kEpochs = 30;

  void long_run(TrainingTask& task) const {
    task.settings.epochs = kEpochs;
    task.settings.patience = kEpochs;
    task.settings.checkpoint_seconds = 0.0;
    task.checkpoint = {path_, "small", true};
  }

  // Lets a child train until it has done `steps` steps and `microseconds` more, and kills it.
  // Returns whether it was still at work.
  bool kill_after(std::uint32_t steps, useconds_t microseconds) {
    int progress[2];
    if (::pipe2(progress, O_CLOEXEC) != 0) return false;
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(progress[0]);
      try {
        train_with([&](TrainingTask& task) {
          long_run(task);
          task.on_step = [&](const StepReport&) {
            if (::write(progress[1], "s", 1) != 1) ::_exit(2);
            ::usleep(300);  // no machine is done before the tenth kill
          };
        });
      } catch (const std::exception&) {
        ::_exit(3);
      }
      ::_exit(0);
    }
    ::close(progress[1]);
    char step = 0;
    for (std::uint32_t i = 0; i < steps && ::read(progress[0], &step, 1) == 1; ++i) {
    }
    ::usleep(microseconds);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(progress[0]);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }
};

TEST_F(Kill, TenTimesAtRandomMomentsTheSameBits) {
  const Ending whole = train_with([&](TrainingTask& task) {
    long_run(task);
    task.checkpoint.reset();
  });
  for (std::uint32_t i = 0; i < 10; ++i) {
    const random::Stream moments{.seed = 42, .step = i};
    const auto steps = static_cast<std::uint32_t>(4.0 * random::uniform(moments, 0));
    const auto later = static_cast<useconds_t>(2000.0 * random::uniform(moments, 1));
    ASSERT_TRUE(kill_after(steps, later)) << "kill " << i << " came too late";
  }
  const TrainingState state = load_checkpoint(path_, "small")->state;
  EXPECT_GT(state.adam_steps, 0);
  EXPECT_LT(state.adam_steps, kEpochs * SmallRun::kSteps);
  const Ending survivor = train_with([&](TrainingTask& task) {
    long_run(task);
    task.settings.checkpoint_seconds = 1e9;
  });
  EXPECT_EQ(survivor, whole);
}

}  // namespace
}  // namespace pulsecast::train
