#include "pulsecast/kernels/normalise/layer_norm.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/layer_norm.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

TEST(LayerNorm, MatchesTheReference) {
  for_each_target([] {
    for (const std::size_t width : {2u, 5u, 8u, 21u, 321u}) {
      const std::size_t rows = 6;
      auto x = normals(rows * width, 1);
      for (float& value : x) value = 3.0f * value + 10.0f;
      const auto gamma = normals(width, 2);
      const auto beta = normals(width, 3);
      std::vector<float> y(x.size()), unit(x.size()), inverse(rows), expected(x.size());
      layer_norm(rows, width, x.data(), gamma.data(), beta.data(), y.data(), unit.data(),
                 inverse.data());
      reference::layer_norm(rows, width, x.data(), gamma.data(), beta.data(), expected.data());
      expect_close(y, expected, 2e-6);
    }
  });
}

// One feature has no spread: the result is beta whatever x is, and no gradient reaches x.
TEST(LayerNorm, OneFeatureIsConstant) {
  const std::vector<float> x = {3.0f, -8.0f}, gamma = {2.0f}, beta = {0.5f}, grad_y = {1.0f, 1.0f};
  std::vector<float> y(2), unit(2), inverse(2), gx(2, 9.0f), gg(1, 9.0f), gb(1, 9.0f);
  layer_norm(2, 1, x.data(), gamma.data(), beta.data(), y.data(), unit.data(), inverse.data());
  EXPECT_EQ(y, (std::vector<float>{0.5f, 0.5f}));
  layer_norm_backward(2, 1, unit.data(), inverse.data(), gamma.data(), grad_y.data(),
                      {{gx.data(), false}, {gg.data(), false}, {gb.data(), false}});
  EXPECT_EQ(gx, (std::vector<float>{0.0f, 0.0f}));
  EXPECT_EQ(gg[0], 0.0f);
  EXPECT_EQ(gb[0], 2.0f);
}

}  // namespace
}  // namespace pulsecast::kernels
