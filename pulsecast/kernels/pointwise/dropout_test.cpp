#include "pulsecast/kernels/pointwise/dropout.h"

#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::for_each_target;
using testing::normals;

// Rows that share a draw, rows that end inside a block, and rows longer than one draw.
TEST(Dropout, ScalesAreThoseOfTheDefinition) {
  const random::Stream stream{.seed = 9, .purpose = random::Purpose::kAttentionDropout, .step = 4};
  for_each_target([&] {
    for (const std::size_t width : {1u, 7u, 16u, 129u, 1024u, 2051u}) {
      const std::size_t rows = 70;
      const auto x = normals(rows * width, 1);
      std::vector<float> y(x.size()), scales(x.size()), expected(width);
      dropout(rows, width, stream, 0.3f, 1000, x.data(), y.data(), scales.data());
      for (std::size_t row = 0; row < rows; ++row) {
        random::dropout_scale(stream, 1000 + row, 0.3f, expected);
        for (std::size_t i = 0; i < width; ++i) {
          ASSERT_EQ(scales[row * width + i], expected[i]) << width << ": " << row << ", " << i;
          ASSERT_EQ(y[row * width + i], x[row * width + i] * expected[i]);
        }
      }
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
