#include "pulsecast/kernels/normalise/revin.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/revin.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

TEST(Revin, MatchesTheReferenceWithAndWithoutAnchorAndUnit) {
  for_each_target([] {
    for (const std::size_t width : {2u, 3u, 8u, 96u, 97u}) {
      const RevinShape s{6, width, 3};
      auto x = normals(s.rows * width, 1);
      for (float& value : x) value = 0.5f * value + 1.0f;
      const auto anchor = normals(x.size(), 2);
      const auto gamma = normals(s.channels, 3);
      const auto beta = normals(s.channels, 4);
      for (const float* a : {anchor.data(), static_cast<const float*>(nullptr)}) {
        std::vector<float> y(x.size()), alone(x.size()), unit(x.size()), mean(6), deviation(6);
        std::vector<float> ey(x.size()), emean(6), edeviation(6);
        revin(s, x.data(), a, gamma.data(), beta.data(), y.data(), unit.data(), mean.data(),
              deviation.data());
        reference::revin(s, x.data(), a, gamma.data(), beta.data(), ey.data(), emean.data(),
                         edeviation.data());
        expect_close(y, ey, 1e-5);
        expect_close(mean, emean, 1e-6);
        expect_close(deviation, edeviation, 1e-5);
        revin(s, x.data(), a, gamma.data(), beta.data(), alone.data(), nullptr, mean.data(),
              deviation.data());
        EXPECT_EQ(alone, y);
      }
    }
  });
}

TEST(Revin, AConstantRowIsZeroNotInfinite) {
  const std::vector<float> x(10, 4.0f);
  const float one = 1.0f, zero = 0.0f;
  std::vector<float> y(10), mean(1), deviation(1);
  revin({1, 10, 1}, x.data(), nullptr, &one, &zero, y.data(), nullptr, mean.data(),
        deviation.data());
  EXPECT_EQ(y, std::vector<float>(10, 0.0f));
  EXPECT_EQ(mean[0], 4.0f);
  EXPECT_NEAR(deviation[0], std::sqrt(1e-5), 1e-8);
}

}  // namespace
}  // namespace pulsecast::kernels
