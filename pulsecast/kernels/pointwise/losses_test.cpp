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

TEST(Losses, OfQuantilesIsPinballsDefinition) {
  for_each_target([] {
    for (const auto& [rows, quantiles] :
         std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {7, 3}, {130, 21}, {3, 1500}}) {
      auto y = normals(rows * quantiles, 1);
      const auto target = normals(rows, 2);
      y[0] = target[0];
      std::vector<float> probabilities;
      for (std::size_t q = 0; q < quantiles; ++q) {
        probabilities.push_back((static_cast<float>(q) + 0.5f) / static_cast<float>(quantiles));
      }
      std::vector<float> gradient(rows * quantiles);
      double expected = 0.0;
      const auto each = [&](auto&& visit) {
        for (std::size_t i = 0; i < rows * quantiles; ++i) {
          visit(i, double{probabilities[i % quantiles]},
                static_cast<double>(target[i / quantiles]) - static_cast<double>(y[i]));
        }
      };
      each([&](std::size_t, double p, double above) {
        expected += above > 0.0 ? p * above : (p - 1.0) * above;
      });
      EXPECT_NEAR(sum_quantile_error(rows, quantiles, y.data(), target.data(), probabilities.data(),
                                     0.5f, gradient.data()),
                  expected, 1e-6 * expected);
      EXPECT_NEAR(sum_quantile_error(rows, quantiles, y.data(), target.data(), probabilities.data(),
                                     0.5f, nullptr),
                  expected, 1e-6 * expected);
      each([&](std::size_t i, double p, double above) {
        EXPECT_NEAR(gradient[i],
                    above == 0.0  ? 0.0
                    : above > 0.0 ? -0.5 * p
                                  : 0.5 * (1.0 - p),
                    1e-7);
      });
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
