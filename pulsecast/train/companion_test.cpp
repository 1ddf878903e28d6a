#include "pulsecast/train/companion.h"

#include <algorithm>

#include "pulsecast/train/completion.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

// Untold settings but for sizes: what a user gets.
Settings usual_settings() {
  Settings settings;
  settings.data.lookback = "24";
  settings.data.horizon = "6";
  settings.model.hidden = 16;
  settings.training.epochs = 2;
  return settings;
}

Fitted fit_usual(const Settings& settings, std::size_t threads = 1, bool refit = false) {
  ThreadPool pool(threads);
  return fit(testing::small_series(300), settings, refit, {}, pool);
}

std::vector<float> companion_part(Fitted& fitted, const char* name) {
  model::Parameters& parameters = fitted.ensemble.lead().parameters();
  const std::span<float> found = parameters.weights(parameters.find(name));
  return {found.begin(), found.end()};
}

TEST(Companion, SharesInTheForecastByWhatItIsWorth) {
  const Fitted fitted = fit_usual(usual_settings());
  ASSERT_TRUE(fitted.companion);
  const CompanionFit& found = *fitted.companion;
  // Two epochs leave much to a ridge.
  EXPECT_GT(found.share, 0.0);
  Settings without = usual_settings();
  without.model.companion = CompanionKind::kNone;
  const Fitted own = fit_usual(without);
  EXPECT_FALSE(own.companion);
  EXPECT_LT(found.together, own.result.best_validation);
  EXPECT_LE(found.together, found.alone * (1.0 + 1e-6));
  EXPECT_EQ(fitted.result.best_validation, found.together);
  // The ridge is the one that is had alone.
  Settings linear = usual_settings();
  linear.model.model = alone(BackboneKind::kLinear);
  linear.training.epochs.reset();
  EXPECT_EQ(fit_usual(linear).result.best_validation, found.alone);
}

TEST(Companion, DoesNotChangeHowTheModelIsTrained) {
  Settings without = usual_settings();
  without.model.companion = CompanionKind::kNone;
  Fitted own = fit_usual(without);
  Fitted fitted = fit_usual(usual_settings());
  for (const auto& view : own.ensemble.lead().parameters().views()) {
    EXPECT_EQ(companion_part(fitted, view.name.c_str()), companion_part(own, view.name.c_str()))
        << view.name;
  }
}

TEST(Companion, TheSameBitsOnAnyNumberOfThreads) {
  const Fitted one = fit_usual(usual_settings(), 1);
  const Fitted three = fit_usual(usual_settings(), 3);
  EXPECT_TRUE(std::ranges::equal(one.ensemble.lead().parameters().weights(),
                                 three.ensemble.lead().parameters().weights()));
}

TEST(Companion, OfTheSecondTrainingHasTheShareOfTheFirst) {
  Fitted once = fit_usual(usual_settings());
  Fitted again = fit_usual(usual_settings(), 1, true);
  ASSERT_TRUE(again.is_refit);
  EXPECT_EQ(companion_part(again, "companion.share"), companion_part(once, "companion.share"));
  EXPECT_NE(companion_part(again, "companion.weight"), companion_part(once, "companion.weight"));
}

TEST(Companion, ThePapersModelsAndBackbonesAloneHaveNone) {
  Settings settings;
  EXPECT_EQ(complete(settings).model.companion, CompanionKind::kRidge);
  EXPECT_EQ(complete(settings, "ETTh1").model.companion, CompanionKind::kNone);
  settings.model.model = alone(BackboneKind::kDLinear);
  EXPECT_EQ(complete(settings).model.companion, CompanionKind::kNone);
  settings = {};
  settings.training.recipe = "ETTh1";
  EXPECT_EQ(complete(settings).model.companion, CompanionKind::kNone);
}

}  // namespace
}  // namespace pulsecast::train
