#include "pulsecast/kernels/standardise.h"

#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

TEST(Standardise, MatchesTheReference) {
  for_each_target([] {
    for (const std::size_t width : {2u, 3u, 8u, 96u, 97u}) {
      const std::size_t rows = 7;
      auto x = normals(rows * width, 1);
      for (float& value : x) value = 0.5f * value + 1.0f;
      std::vector<float> y(x.size()), mean(rows), deviation(rows);
      std::vector<float> ey(x.size()), emean(rows), edeviation(rows);
      standardise(rows, width, x.data(), y.data(), mean.data(), deviation.data());
      reference::standardise(rows, width, x.data(), ey.data(), emean.data(), edeviation.data());
      expect_close(y, ey, 1e-5);
      expect_close(mean, emean, 1e-6);
      expect_close(deviation, edeviation, 1e-5);
    }
  });
}

TEST(Standardise, AConstantRowIsZeroNotInfinite) {
  const std::vector<float> x(10, 4.0f);
  std::vector<float> y(10), mean(1), deviation(1);
  standardise(1, 10, x.data(), y.data(), mean.data(), deviation.data());
  EXPECT_EQ(y, std::vector<float>(10, 0.0f));
  EXPECT_EQ(mean[0], 4.0f);
  EXPECT_NEAR(deviation[0], std::sqrt(1e-5), 1e-8);
}

}  // namespace
}  // namespace pulsecast::kernels
