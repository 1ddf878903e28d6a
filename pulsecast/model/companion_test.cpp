#include "pulsecast/model/companion.h"

#include <gtest/gtest.h>

#include "pulsecast/model/pulse.h"

namespace pulsecast::model {
namespace {

// Two rows of three steps; a map to two steps.
class CompanionMap : public ::testing::Test {
 protected:
  std::vector<float> joined(float share) {
    companion_.set_share(parameters_, share);
    Arena arena;
    Tape tape(arena, Tape::Mode::kInference);
    BoundParameters weights(std::as_const(parameters_));
    const Tensor history{.data = history_.data(), .shape = {2, 3}};
    const Tensor forecast{.data = forecast_.data(), .shape = {2, 2}};
    const Tensor out = companion_.join(tape, weights, history, forecast);
    return {out.data, out.data + 4};
  }
  void SetUp() override {
    // The last step's distance from the mean; twice that, and one.
    companion_.put(parameters_, std::vector<float>{0, 0, 1, 0, 0, 2, 0, 1});
  }

  Parameters parameters_;
  Companion companion_{parameters_, {.lookback = 3, .horizon = 2, .channels = 1}};
  std::vector<float> history_ = {1, 2, 3, 4, 4, 7};
  std::vector<float> forecast_ = {10, 20, 30, 40};
};

TEST_F(CompanionMap, WithoutAShareTheForecastIsTheModels) { EXPECT_EQ(joined(0.0f), forecast_); }

TEST_F(CompanionMap, WithAllOfItTheForecastIsTheMaps) {
  EXPECT_EQ(joined(1.0f), (std::vector<float>{2 + 1, 2 + 2 + 1, 5 + 2, 5 + 4 + 1}));
}

TEST_F(CompanionMap, WithAShareItIsBetween) {
  EXPECT_EQ(joined(0.5f), (std::vector<float>{6.5f, 12.5f, 18.5f, 25.0f}));
}

}  // namespace
}  // namespace pulsecast::model
