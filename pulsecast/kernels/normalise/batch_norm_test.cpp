#include "pulsecast/kernels/normalise/batch_norm.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/batch_norm.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::normals;

TEST(BatchNorm, IsItsDefinition) {
  for (const auto& [rows, width] : {std::pair<std::size_t, std::size_t>{1, 3}, {2, 1}, {40, 9}}) {
    auto x = normals(rows * width, 1);
    for (float& value : x) value = value * 3.0f + 5.0f;
    const auto gamma = normals(width, 2), beta = normals(width, 3);
    std::vector<float> ours(x.size()), theirs(x.size()), mean(width), variance(width);
    std::vector<double> scratch(batch_norm_scratch_doubles(width));
    batch_norm(rows, width, x.data(), gamma.data(), beta.data(), ours.data(), mean.data(),
               variance.data(), scratch.data());
    reference::batch_norm(rows, width, x.data(), gamma.data(), beta.data(), theirs.data());
    expect_close(ours, theirs, 1e-5);
    std::vector<float> frozen(x.size());
    batch_norm_frozen(rows, width, x.data(), gamma.data(), beta.data(), mean.data(),
                      variance.data(), frozen.data(), scratch.data());
    EXPECT_EQ(frozen, ours) << "by its own statistics it is the same";
  }
}

// Moving a whole column, or stretching it about its mean, changes nothing, so no gradient may point
// that way.
TEST(BatchNorm, GradientsAreBlindToMeanAndScale) {
  constexpr std::size_t kRows = 30, kWidth = 4;
  const auto x = normals(kRows * kWidth, 1), gamma = normals(kWidth, 2), beta = normals(kWidth, 3);
  const auto g = normals(kRows * kWidth, 4);
  std::vector<float> y(x.size()), mean(kWidth), variance(kWidth), back(x.size());
  std::vector<double> scratch(batch_norm_scratch_doubles(kWidth));
  batch_norm(kRows, kWidth, x.data(), gamma.data(), beta.data(), y.data(), mean.data(),
             variance.data(), scratch.data());
  batch_norm_backward(kRows, kWidth, x.data(), gamma.data(), mean.data(), variance.data(), g.data(),
                      {{back.data(), false}, {}, {}}, scratch.data());
  for (std::size_t j = 0; j < kWidth; ++j) {
    double sum = 0.0, stretch = 0.0;
    for (std::size_t i = j; i < back.size(); i += kWidth) {
      sum += static_cast<double>(back[i]);
      stretch += static_cast<double>(back[i]) * (x[i] - mean[j]);
    }
    EXPECT_NEAR(sum, 0.0, 1e-4);
    EXPECT_NEAR(stretch, 0.0, 1e-3);
  }
}

}  // namespace
}  // namespace pulsecast::kernels
