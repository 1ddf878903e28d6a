#include "pulsecast/kernels/pointwise/gelu.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/gelu.h"

namespace pulsecast::kernels {
namespace {

using testing::for_each_target;
using testing::normals;

TEST(Gelu, ValueAndSlopeEverywhere) {
  std::vector<float> x;
  for (int i = -20000; i <= 20000; ++i) x.push_back(static_cast<float>(i) * 1e-3f);
  x.insert(x.end(), {-1e30f, 1e30f, -100.0f, 100.0f, 0.0f, -0.0f, 1e-30f});
  for_each_target([&] {
    std::vector<float> y(x.size());
    std::vector<float> slope(x.size());
    gelu(x.size(), x.data(), y.data(), slope.data());
    std::vector<float> alone(x.size());
    gelu(x.size(), x.data(), alone.data(), nullptr);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double scale = std::max(1.0, std::abs(static_cast<double>(x[i])));
      ASSERT_NEAR(y[i], reference::gelu(x[i]), 1.5e-7 * scale) << x[i];
      ASSERT_NEAR(alone[i], reference::gelu(x[i]), 2e-7 * scale) << x[i];
      if (x[i] < -6.0f) {
        ASSERT_NEAR(alone[i], 0.0, 1e-7) << x[i];
      }
      if (std::abs(x[i]) < 1e10f) {
        ASSERT_NEAR(slope[i], reference::gelu_slope(x[i]), 3e-7) << x[i];
      }
    }
  });
}

TEST(Gelu, BiasIsAddedFirstAndOddWidthsStayInBounds) {
  for_each_target([&] {
    for (const std::size_t columns : {1u, 7u, 8u, 13u, 64u}) {
      const std::size_t rows = 5;
      auto x = normals(rows * columns, 1);
      const auto bias = normals(columns, 2);
      std::vector<float> y(rows * columns + 1, 9.0f);
      std::vector<float> slope(rows * columns + 1, 9.0f);
      bias_gelu(rows, columns, bias.data(), x.data(), y.data(), slope.data());
      for (std::size_t i = 0; i < rows * columns; ++i) {
        const double v = x[i] + bias[i % columns];
        ASSERT_NEAR(y[i], reference::gelu(v), 3e-7);
        ASSERT_NEAR(slope[i], reference::gelu_slope(v), 5e-7);
      }
      EXPECT_EQ(y.back(), 9.0f);
      EXPECT_EQ(slope.back(), 9.0f);
      // In place, and without the slope.
      bias_gelu(rows, columns, bias.data(), x.data(), x.data(), nullptr);
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 3e-7);
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
