#include "pulsecast/kernels/solve/lag_products.h"

#include <gtest/gtest.h>

#include <vector>

#include "pulsecast/base/random.h"

namespace pulsecast::kernels {
namespace {

TEST(LagProducts, AreTheSumsTheySayTheyAre) {
  for (const std::size_t n : {1, 7, 64, 5000}) {
    constexpr std::size_t kLags = 13;
    std::vector<float> values(n + kLags - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(random::normal(random::Stream{.seed = 3}, i));
    }
    std::vector<double> found(kLags);
    lag_products(n, kLags, values.data(), found.data());
    for (std::size_t lag = 0; lag < kLags; ++lag) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<double>(values[i]) * static_cast<double>(values[i + lag]);
      }
      EXPECT_NEAR(found[lag], sum, 1e-9 * static_cast<double>(n)) << n << " " << lag;
    }
  }
}

}  // namespace
}  // namespace pulsecast::kernels
