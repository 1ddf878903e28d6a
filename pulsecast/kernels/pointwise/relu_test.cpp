#include "pulsecast/kernels/pointwise/relu.h"

#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::for_each_target;
using testing::normals;

TEST(Relu, IsItsDefinitionAndOddCountsStayInBounds) {
  for_each_target([] {
    for (const std::size_t count : {1u, 7u, 8u, 13u, 64u, 100u}) {
      auto x = normals(count, 1);
      x[0] = 0.0f;
      const auto g = normals(count, 2);
      std::vector<float> y(count + 1, 9.0f);
      relu(count, x.data(), y.data());
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(y[i], x[i] > 0.0f ? x[i] : 0.0f);
      EXPECT_EQ(y.back(), 9.0f);
      for (const bool accumulate : {false, true}) {
        std::vector<float> back(count + 1, 9.0f);
        relu_backward(count, y.data(), g.data(), {back.data(), accumulate});
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(back[i], (x[i] > 0.0f ? g[i] : 0.0f) + (accumulate ? 9.0f : 0.0f));
        }
        EXPECT_EQ(back.back(), 9.0f);
      }
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
