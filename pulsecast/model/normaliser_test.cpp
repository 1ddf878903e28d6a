#include "pulsecast/model/normaliser.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast::model {
namespace {

// 1, 2, 3, 6: mean 3, squares of the differences 14.
constexpr float kRow[] = {1.0f, 2.0f, 3.0f, 6.0f};

class Normalising : public ::testing::Test {
 protected:
  Normalised normalise(const Normaliser& normaliser) {
    BoundParameters weights(parameters_);
    return normaliser.normalise(tape_, weights, tape_.constant(kRow, {1, 4}), std::nullopt);
  }
  Tensor back(const Normaliser& normaliser, const Normalised& from) {
    BoundParameters weights(parameters_);
    return normaliser.denormalise(tape_, weights, from.values, std::nullopt, from.mean,
                                  from.deviation);
  }

  Arena arena_;
  Tape tape_{arena_, Tape::Mode::kTraining};
  Parameters parameters_;
};

TEST_F(Normalising, EachKindHasItsStatisticsAndComesBack) {
  struct Case {
    Normalisation kind;
    double mean, deviation;
  };
  for (const Case& c : {Case{Normalisation::kNone, 0.0, 1.0}, Case{Normalisation::kMean, 3.0, 1.0},
                        Case{Normalisation::kPopulation, 3.0, std::sqrt(14.0 / 4.0 + 1e-5)},
                        Case{Normalisation::kUnbiased, 3.0, std::sqrt(14.0 / 3.0 + 1e-5)}}) {
    const Normaliser normaliser(parameters_, 1, c.kind);
    EXPECT_EQ(parameters_.count(), 0u) << "only PULSE's normalisation learns";
    const Normalised found = normalise(normaliser);
    EXPECT_FLOAT_EQ(*found.mean.data, static_cast<float>(c.mean));
    EXPECT_FLOAT_EQ(*found.deviation.data, static_cast<float>(c.deviation));
    const Tensor again = back(normaliser, found);
    for (std::size_t t = 0; t < 4; ++t) {
      EXPECT_NEAR(found.values.data[t], (static_cast<double>(kRow[t]) - c.mean) / c.deviation,
                  1e-6);
      EXPECT_NEAR(again.data[t], kRow[t], 1e-5);
    }
  }
}

TEST_F(Normalising, TheAffineOneHasWeightsOfItsOwn) {
  const Normaliser normaliser(parameters_, 3, Normalisation::kAffine);
  EXPECT_EQ(parameters_.count(), 6u);
  normaliser.initialise(parameters_);
  EXPECT_EQ(parameters_.weights(parameters_.find("revin.gamma"))[2], 1.0f);
  EXPECT_EQ(parameters_.weights(parameters_.find("revin.beta"))[2], 0.0f);
}

}  // namespace
}  // namespace pulsecast::model
