#include "pulsecast/kernels/pointwise/adam.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/adam.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

TEST(Adam, FollowsTheReferenceForManySteps) {
  for_each_target([] {
    const std::size_t count = 1003;
    auto weight = normals(count, 1);
    auto expected = weight;
    std::vector<float> m1(count), m2(count), e1(count), e2(count);
    for (int step = 1; step <= 50; ++step) {
      const auto gradient = normals(count, 100 + static_cast<std::uint64_t>(step));
      adam(count, {}, step, gradient.data(), weight.data(), m1.data(), m2.data());
      reference::adam(count, {}, step, gradient.data(), expected.data(), e1.data(), e2.data());
    }
    expect_close(weight, expected, 2e-6);
    expect_close(m1, e1, 2e-6);
    expect_close(m2, e2, 2e-6);
  });
}

// Whatever the size of the gradient, the first step moves a weight by the learning rate.
TEST(Adam, FirstStepIsTheLearningRate) {
  std::vector<float> weight(3, 0.0f), m1(3), m2(3);
  const std::vector<float> gradient = {1e-3f, -5.0f, 100.0f};
  adam(3, {.learning_rate = 0.01}, 1, gradient.data(), weight.data(), m1.data(), m2.data());
  expect_close(weight, std::vector<float>{-0.01f, 0.01f, -0.01f}, 1e-4);
}

}  // namespace
}  // namespace pulsecast::kernels
