#include "pulsecast/kernels/solve/cholesky.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <vector>

#include "pulsecast/base/random.h"

namespace pulsecast::kernels {
namespace {

std::vector<double> double_normals(std::size_t count, std::uint32_t step) {
  const random::Stream stream{.seed = 5, .step = step};
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random::normal(stream, i);
  return values;
}

// B B' + I: positive definite, whatever B is.
std::vector<double> definite(std::size_t n) {
  const std::vector<double> b = double_normals(n * n, 1);
  std::vector<double> a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) a[i * n + j] += b[i * n + k] * b[j * n + k];
    }
    a[i * n + i] += 1.0;
  }
  return a;
}

TEST(Cholesky, SolvesWhatWasMultiplied) {
  for (const std::size_t n : {1, 2, 7, 8, 9, 40}) {
    for (const std::size_t m : {1, 3, 17}) {
      const std::vector<double> a = definite(n);
      const std::vector<double> x = double_normals(n * m, 2);
      std::vector<double> b(n * m, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t k = 0; k < m; ++k) b[i * m + k] += a[i * n + j] * x[j * m + k];
        }
      }
      std::vector<double> factor = a;
      ASSERT_TRUE(cholesky(n, factor.data()));
      cholesky_solve(n, m, factor.data(), b.data());
      for (std::size_t i = 0; i < n * m; ++i) EXPECT_NEAR(b[i], x[i], 1e-8) << n << " " << m;
    }
  }
}

TEST(Cholesky, TheWidthOfVectorsChangesNoBit) {
  constexpr std::size_t kSize = 75;
  constexpr std::size_t kColumns = 13;
  const std::vector<double> a = definite(kSize);
  const std::vector<double> b = double_normals(kSize * kColumns, 2);
  std::vector<double> first;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target == HWY_SCALAR || target == HWY_EMU128) continue;
    hwy::SetSupportedTargetsForTest(target);
    std::vector<double> factor = a;
    std::vector<double> x = b;
    ASSERT_TRUE(cholesky(kSize, factor.data()));
    cholesky_solve(kSize, kColumns, factor.data(), x.data());
    std::vector<double> back(x.size());
    symmetric_product(kSize, kColumns, a.data(), x.data(), back.data());
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(back[i], b[i], 1e-8);
    if (first.empty()) first = x;
    EXPECT_EQ(first, x) << hwy::TargetName(target);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  std::vector<double> singular = {1.0, 1.0, 1.0, 1.0};
  EXPECT_FALSE(cholesky(2, singular.data()));
  std::vector<double> negative = {-1.0};
  EXPECT_FALSE(cholesky(1, negative.data()));
  std::vector<double> none = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(cholesky(1, none.data()));
}

}  // namespace
}  // namespace pulsecast::kernels
