#include "pulsecast/kernels/attention/softmax.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/softmax.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

TEST(Softmax, MatchesTheReference) {
  for_each_target([] {
    for (const std::size_t width : {1u, 2u, 7u, 24u, 100u}) {
      const std::size_t rows = 5;
      auto x = normals(rows * width, width);
      for (float& value : x) value *= 20.0f;
      std::vector<float> y(x.size()), expected(x.size());
      softmax(rows, width, x.data(), y.data());
      reference::softmax(rows, width, x.data(), expected.data());
      expect_close(y, expected, 1e-6);
      softmax(rows, width, x.data(), x.data());
      EXPECT_EQ(x, y);
    }
  });
}

TEST(Softmax, LargeValuesNeitherOverflowNorVanish) {
  const std::vector<float> x = {1e30f, 0.0f, -1e30f};
  std::vector<float> y(3);
  softmax(1, 3, x.data(), y.data());
  EXPECT_EQ(y[0], 1.0f);
  EXPECT_NEAR(y[1], 0.0f, 1e-37);
  EXPECT_NEAR(y[2], 0.0f, 1e-37);
}

}  // namespace
}  // namespace pulsecast::kernels
