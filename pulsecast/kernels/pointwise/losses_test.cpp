#include "pulsecast/kernels/pointwise/losses.h"

#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::for_each_target;
using testing::normals;

TEST(Losses, SumsAndGradients) {
  for_each_target([] {
    for (const std::size_t count : {1u, 8u, 1000u, 5003u}) {
      const auto x = normals(count, 1);
      auto y = normals(count, 2);
      y[0] = x[0];
      double squared = 0.0;
      double absolute = 0.0;
      std::vector<float> gs(count), ga(count);
      for (std::size_t i = 0; i < count; ++i) {
        squared += std::pow(static_cast<double>(x[i]) - y[i], 2);
        absolute += std::abs(static_cast<double>(x[i]) - y[i]);
      }
      EXPECT_NEAR(sum_squared_error(count, x.data(), y.data(), 0.5f, gs.data()), squared,
                  1e-6 * squared);
      EXPECT_NEAR(sum_absolute_error(count, x.data(), y.data(), 0.5f, ga.data()), absolute,
                  1e-6 * absolute);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(gs[i], x[i] - y[i]);
        EXPECT_EQ(ga[i], x[i] == y[i] ? 0.0f : x[i] > y[i] ? 0.5f : -0.5f);
      }
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
