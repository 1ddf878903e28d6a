#include "pulsecast/search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/random.h"
#include "pulsecast/base/testing.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::search {
namespace {

// Hourly rows with a day in them.
Series rows(std::int64_t count = 1400, std::int64_t channels = 2) {
  SyntheticSettings settings;
  settings.rows = count;
  settings.channels = channels;
  settings.noise = 0.2;
  settings.weekly = 0.0;  // a look-back of two weeks would leave nothing longer to try
  return make_series(Synthetic(settings));
}

Settings small(const char* budget = "240steps") {
  Settings settings;
  settings.data.horizon = "12";
  settings.model.hidden = 16;
  settings.training.batch = 16;
  settings.training.budget = budget;
  return settings;
}

struct Ending {
  std::vector<std::string> names;
  std::vector<double> shares;
  std::vector<double> errors;
  std::vector<float> weights;
  double validation = 0.0;

  friend bool operator==(const Ending&, const Ending&) = default;
};

Ending ending_of(const Found& found) {
  Ending ending;
  for (const train::Tried& each : found.tried) {
    ending.names.push_back(each.name);
    ending.shares.push_back(each.share);
    ending.errors.push_back(each.validation_mse);
  }
  for (const model::Member& member : found.fitted.ensemble.members()) {
    const auto own = std::as_const(*member.pulse).parameters().weights();
    ending.weights.insert(ending.weights.end(), own.begin(), own.end());
  }
  ending.validation = found.fitted.result.best_validation;
  return ending;
}

Found searched(const Series& series, const Settings& settings, std::size_t threads = 1,
               const train::FitHooks& hooks = {}, bool refit = false) {
  ThreadPool pool(threads);
  return find(series, settings, refit, hooks, pool).value();
}

// Cancels after so many pieces of progress: closed forms and steps.
void stop_after(int pieces, train::FitHooks& hooks) {
  auto left = std::make_shared<int>(pieces);
  hooks.watch.on_progress = [left](const Progress& made) {
    if (made.stage == "search") --*left;  // ranges are found in one piece
  };
  hooks.watch.is_cancelled = [left] { return *left < 0; };
}

TEST(Search, TheModelMissesNoMoreThanAnyCandidate) {
  const Found found = searched(rows(), small());
  double shares = 0.0;
  double best = std::numeric_limits<double>::infinity();
  for (const train::Tried& each : found.tried) {
    shares += each.share;
    best = std::min(best, each.validation_mse);
  }
  EXPECT_NEAR(shares, 1.0, 1e-9);
  EXPECT_LE(found.fitted.result.best_validation, best * 1.001);
  EXPECT_LT(found.fitted.result.best_validation, found.fitted.naive_validation);
  EXPECT_NE(std::ranges::find(found.tried, "seasonal naive", &train::Tried::name),
            found.tried.end());
  EXPECT_GT(found.tried.size(), 4u);
}

TEST(Search, StepsGiveTheSameBitsOnAnyNumberOfThreads) {
  const Ending one = ending_of(searched(rows(), small(), 1));
  EXPECT_EQ(ending_of(searched(rows(), small(), 1)), one);
  EXPECT_EQ(ending_of(searched(rows(), small(), 3)), one);
  Settings other = small();
  other.training.seed = 7;
  EXPECT_NE(ending_of(searched(rows(), other, 1)), one);
}

// What is told stays: a search changes only what was left open.
TEST(Search, WhatIsToldIsTheSameInAllCandidates) {
  Settings settings = small();
  settings.data.lookback = "24";
  settings.model.anchor = false;
  const Found found = searched(rows(), settings);
  EXPECT_EQ(found.fitted.ensemble.shape().lookback, 24u);
  for (const model::Member& member : found.fitted.ensemble.members()) {
    EXPECT_FALSE(member.pulse->shape().anchor);
  }
}

// Random walks with a short validation, where the best forecaster is the one that was lucky there.
TEST(Search, TooFewHorizonsWeighNobody) {
  std::size_t together = 0;
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    Series walk = rows(700, 1);
    double value = 0.0;
    for (std::size_t row = 0; row < walk.rows(); ++row) {
      value += random::normal({.seed = seed}, row);
      walk.channels[0].values[row] = value;
    }
    Settings settings = small("60steps");
    settings.data.horizon = "24";
    std::vector<double> shares;
    for (const train::Tried& each : searched(walk, settings).tried) {
      if (each.share > 0.0) shares.push_back(each.share);
    }
    for (const double share : shares) {
      EXPECT_NEAR(share, 1.0 / static_cast<double>(shares.size()), 1e-12);
    }
    together += shares.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(together, 0u);
}

TEST(Search, OneTrainingWhereThatIsTold) {
  ThreadPool pool(1);
  Settings settings = small("none");
  EXPECT_FALSE(find(rows(), settings, false, {}, pool));
  settings.training.budget.reset();
  settings.training.epochs = 3;
  EXPECT_FALSE(find(rows(), settings, false, {}, pool)) << "epochs say how one model is trained";
  EXPECT_EQ(train::complete(Settings{}).training.budget, "auto");
}

// Stopped at any step and resumed, it ends with the bits of a search that never was.
TEST(Search, StoppedAndResumedItIsTheSameModel) {
  const Series series = rows();
  const Ending whole = ending_of(searched(series, small()));
  const pulsecast::testing::TemporaryFolder folder;
  for (const int every : {7, 41, 200}) {
    train::FitHooks hooks;
    hooks.checkpoint = folder.path() / "search.checkpoint";
    std::filesystem::remove(*hooks.checkpoint);
    std::optional<Ending> resumed;
    int stops = 0;
    while (!resumed) {
      stop_after(every, hooks);
      try {
        resumed = ending_of(searched(series, small(), 2, hooks));
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::kInterrupted) << error.what();
        ASSERT_LT(++stops, 1000);
        hooks.resume = true;
      }
    }
    EXPECT_GT(stops, 0);
    EXPECT_EQ(*resumed, whole) << "stopped every " << every << " steps";
  }
}

TEST(Search, OnSeveralBlocksItIsTheSameModelHoweverItWasStopped) {
  const Series series = rows();
  Settings settings = small();
  settings.training.validation_blocks = 4;
  const Found found = searched(series, settings);
  ASSERT_TRUE(found.fitted.plan.spread);
  EXPECT_EQ(found.fitted.plan.spread->blocks.size(), 4u);
  const Ending whole = ending_of(found);
  EXPECT_EQ(ending_of(searched(series, settings, 3)), whole);
  EXPECT_NE(whole, ending_of(searched(series, small())));
  const pulsecast::testing::TemporaryFolder folder;
  train::FitHooks hooks;
  hooks.checkpoint = folder.path() / "search.checkpoint";
  stop_after(77, hooks);
  EXPECT_THROW(searched(series, settings, 1, hooks), Error);
  hooks.watch.is_cancelled = {};
  hooks.resume = true;
  EXPECT_EQ(ending_of(searched(series, settings, 1, hooks)), whole);
}

TEST(Search, AskedToFinishItEndsWithWhatItHas) {
  const pulsecast::testing::TemporaryFolder folder;
  train::FitHooks hooks;
  hooks.checkpoint = folder.path() / "search.checkpoint";
  int asked = 0;
  hooks.watch.is_asked_to_finish = [&] { return ++asked > 60; };
  const Found early = searched(rows(), small(), 1, hooks);
  EXPECT_TRUE(early.fitted.result.is_ended);
  EXPECT_FALSE(early.fitted.warnings.empty());
  EXPECT_TRUE(std::isfinite(early.fitted.result.best_validation));
  hooks.watch.is_asked_to_finish = {};
  hooks.resume = true;
  EXPECT_EQ(ending_of(searched(rows(), small(), 1, hooks)), ending_of(searched(rows(), small())))
      << "it goes on from where it was asked";
}

TEST(Search, ResumedItMayHaveMoreToSpend) {
  const pulsecast::testing::TemporaryFolder folder;
  train::FitHooks hooks;
  hooks.checkpoint = folder.path() / "search.checkpoint";
  stop_after(50, hooks);
  EXPECT_THROW(searched(rows(), small(), 1, hooks), Error);
  hooks.watch.is_cancelled = {};
  hooks.resume = true;
  EXPECT_NO_THROW(searched(rows(), small("400steps"), 1, hooks));
  Settings other = small();
  other.training.batch = 8;
  try {
    searched(rows(), other, 1, hooks);
    FAIL() << "another run";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage) << error.what();
  }
}

TEST(Search, ADamagedCheckpointIsRefused) {
  const pulsecast::testing::TemporaryFolder folder;
  train::FitHooks hooks;
  hooks.checkpoint = folder.path() / "search.checkpoint";
  stop_after(50, hooks);
  EXPECT_THROW(searched(rows(), small(), 1, hooks), Error);
  std::filesystem::resize_file(*hooks.checkpoint,
                               std::filesystem::file_size(*hooks.checkpoint) - 9);
  hooks.watch.is_cancelled = {};
  hooks.resume = true;
  try {
    searched(rows(), small(), 1, hooks);
    FAIL() << "damaged";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile) << error.what();
  }
}

TEST(Search, TrainedAgainOnEveryRowItKeepsItsMembers) {
  const Found first = searched(rows(), small());
  const Found again = searched(rows(), small(), 1, {}, true);
  EXPECT_TRUE(again.fitted.is_refit);
  EXPECT_EQ(again.fitted.trained.end, 1400u);
  ASSERT_EQ(again.fitted.ensemble.members().size(), first.fitted.ensemble.members().size());
  EXPECT_EQ(ending_of(again).shares, ending_of(first).shares);
  EXPECT_NE(ending_of(again).weights, ending_of(first).weights);
}

// A column that tells the target six steps before: what reads it is most of the blend, and the
// table of what was tried names it.
TEST(Search, ColumnsOfThePastAreReadWhereThatPays) {
  constexpr std::size_t kLead = 6;
  Series series = rows(900);
  series.channels[1].role = Role::kPast;
  const auto noise = [](std::size_t row) { return random::normal({.seed = 11}, row); };
  for (std::size_t row = 0; row < series.rows(); ++row) {
    series.channels[0].values[row] = noise(row);
    series.channels[1].values[row] = noise(row + kLead);
  }
  Settings settings = small("1000steps");
  settings.data.horizon = std::to_string(kLead);
  settings.data.lookback = "24";
  settings.model.width = 32;
  settings.model.heads = 4;
  settings.model.layers = 1;
  settings.training.loss = LossKind::kSquared;
  const Found led = searched(series, settings, 2);
  double share = 0.0;
  for (const char* name :
       {"ridge, past columns, look-back 24", "PULSE, past columns, look-back 24"}) {
    const auto found = std::ranges::find(led.tried, name, &train::Tried::name);
    ASSERT_NE(found, led.tried.end()) << name;
    share += found->share;
  }
  EXPECT_GT(share, 0.9);
  EXPECT_EQ(led.fitted.ensemble.shape().past, 1u);
  EXPECT_LT(led.fitted.result.best_validation, 0.3);
  EXPECT_EQ(ending_of(searched(series, settings, 1)), ending_of(led));
}

// A search sees nothing of rows that are held out.
TEST(Search, TestRowsChangeNothing) {
  Settings settings = small();
  settings.data.split = "0.6,0.2,0.2";
  Series series = rows();
  const Ending before = ending_of(searched(series, settings));
  for (Channel& channel : series.channels) {
    for (std::size_t row = 1120; row < 1400; ++row) channel.values[row] = 1e3;
  }
  EXPECT_EQ(ending_of(searched(series, settings)), before);
}

}  // namespace
}  // namespace pulsecast::search
