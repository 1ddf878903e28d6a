#include "pulsecast/autodiff/packed_weights.h"

#include <gtest/gtest.h>

#include "pulsecast/autodiff/operations.h"

namespace pulsecast::autodiff {
namespace {

// Two layers, forward and back, with the weights as `bound` has them: the result, then all
// gradients.
std::vector<float> pass(Parameters& parameters, const PackedWeights* packed) {
  std::vector<float> gradients(parameters.count());
  BoundParameters bound(parameters, gradients);
  if (packed != nullptr) packed->bind(bound);
  Arena arena;
  Tape tape(arena, Tape::Mode::kTraining);
  std::vector<float> x(5 * 19);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1f * static_cast<float>(i % 13) - 0.5f;
  const Tensor hidden =
      linear_gelu(tape, tape.constant(x.data(), {5, 19}), bound[parameters.find("first")],
                  bound[parameters.find("bias")]);
  const Tensor y = linear(tape, hidden, bound[parameters.find("second")]);
  std::vector<float> target(y.count(), 0.25f);
  tape.backward(squared_error(tape, y, tape.constant(target.data(), y.shape), 1.0f));
  std::vector<float> all(y.data, y.data + y.count());
  all.insert(all.end(), gradients.begin(), gradients.end());
  return all;
}

TEST(PackedWeights, MultiplyingWithThemGivesTheSameBitsAndFollowsTheWeights) {
  Parameters parameters;
  const ParameterId first = parameters.add("first", {33, 19});
  parameters.fill_normal(first, 1, 0.3f);
  parameters.fill_normal(parameters.add("bias", {33}), 1, 0.3f);
  parameters.fill_normal(parameters.add("second", {7, 33}), 1, 0.3f);
  ThreadPool pool(2);
  PackedWeights packed(parameters, PackedWeights::Passes::kForwardAndBackward);
  PackedWeights forward(parameters, PackedWeights::Passes::kForward);
  for (int step = 0; step < 2; ++step) {
    const auto plain = pass(parameters, nullptr);
    packed.pack(Team(pool));
    forward.pack(Team());
    EXPECT_EQ(pass(parameters, &packed), plain);
    // Going back packs what was not.
    EXPECT_EQ(pass(parameters, &forward), plain);
    parameters.weights(first)[5] += 1.0f;
    EXPECT_NE(pass(parameters, nullptr), plain);
  }
}

}  // namespace
}  // namespace pulsecast::autodiff
