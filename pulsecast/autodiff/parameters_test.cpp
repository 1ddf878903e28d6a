#include "pulsecast/autodiff/parameters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/base/error.h"

namespace pulsecast::autodiff {
namespace {

TEST(Parameters, AreViewsOfOneBuffer) {
  Parameters parameters;
  const ParameterId a = parameters.add("a", {2, 3});
  const ParameterId b = parameters.add("b", {4});
  EXPECT_EQ(parameters.count(), 10u);
  parameters.fill(b, 2.0f);
  EXPECT_EQ(parameters.weights()[6], 2.0f);
  EXPECT_EQ(parameters.weights(a).size(), 6u);
  EXPECT_EQ(parameters.find("b").index, b.index);
}

TEST(Parameters, NamesAreUniqueAndErrorsNameThem) {
  Parameters parameters;
  parameters.add("router.query", {2});
  EXPECT_THROW(parameters.add("router.query", {2}), Error);
  EXPECT_THROW(parameters.add("empty", {0, 3}), Error);
  try {
    static_cast<void>(parameters.find("router.key"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("router.query"), std::string::npos) << error.what();
  }
}

// How a parameter starts depends on the seed and its name, not on what stands around it.
TEST(Parameters, DrawsDependOnSeedAndNameAlone) {
  Parameters alone, among;
  const ParameterId a = alone.add("a", {100});
  among.add("before", {7});
  const ParameterId b = among.add("a", {100});
  const ParameterId c = among.add("c", {100});
  alone.fill_uniform(a, 1, -0.5f, 0.5f);
  among.fill_uniform(b, 1, -0.5f, 0.5f);
  among.fill_uniform(c, 1, -0.5f, 0.5f);
  EXPECT_TRUE(std::ranges::equal(alone.weights(a), among.weights(b)));
  EXPECT_FALSE(std::ranges::equal(among.weights(b), among.weights(c)));
  for (const float weight : alone.weights(a)) EXPECT_LE(std::abs(weight), 0.5f);
  among.fill_uniform(c, 2, -0.5f, 0.5f);
  alone.fill_normal(a, 1, 0.1f);
  double squares = 0.0;
  for (const float weight : alone.weights(a)) squares += weight * weight;
  EXPECT_NEAR(std::sqrt(squares / 100.0), 0.1, 0.03);
}

// Buffers lie among the weights, and no gradient comes to them.
TEST(Parameters, BuffersAreKeptAndNotLearned) {
  Parameters parameters;
  const ParameterId weight = parameters.add("weight", {3});
  const ParameterId buffer = parameters.add_buffer("running", {2});
  EXPECT_EQ(parameters.count(), 5u);
  EXPECT_EQ(parameters.learned_count(), 3u);
  std::vector<float> gradients(5);
  BoundParameters bound(parameters, gradients);
  EXPECT_TRUE(bound[weight].wants_gradient());
  EXPECT_FALSE(bound[buffer].wants_gradient());
  EXPECT_EQ(bound[buffer].data, parameters.weights(buffer).data());
}

}  // namespace
}  // namespace pulsecast::autodiff
