#include "pulsecast/kernels/normalise/moving_average.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/moving_average.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::normals;

struct Size {
  std::size_t rows, length, window;
};
// Windows of one, shorter than the row, as long, and longer than it.
constexpr Size kSizes[] = {{1, 1, 1}, {3, 7, 1}, {2, 1, 5}, {4, 30, 25}, {3, 25, 25}, {2, 9, 25}};

TEST(MovingAverage, IsItsDefinition) {
  for (const auto& [rows, length, window] : kSizes) {
    const auto x = normals(rows * length, 1);
    std::vector<float> ours(x.size()), theirs(x.size());
    std::vector<double> scratch(moving_average_scratch_doubles(length, window));
    moving_average(rows, length, window, x.data(), ours.data(), scratch.data());
    reference::moving_average(rows, length, window, x.data(), theirs.data());
    expect_close(ours, theirs, 1e-6);
  }
}

// <y(x), g> = <x, backward(g)>, for a linear map and its adjoint.
TEST(MovingAverage, BackwardIsTheAdjoint) {
  for (const auto& [rows, length, window] : kSizes) {
    const auto x = normals(rows * length, 1);
    const auto g = normals(rows * length, 2);
    std::vector<float> y(x.size()), back(x.size(), 1.0f);
    std::vector<double> scratch(moving_average_scratch_doubles(length, window));
    reference::moving_average(rows, length, window, x.data(), y.data());
    moving_average_backward(rows, length, window, g.data(), {back.data(), true}, scratch.data());
    double forward = 0.0, backward = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      forward += static_cast<double>(y[i]) * g[i];
      backward += static_cast<double>(x[i]) * (back[i] - 1.0f);
    }
    EXPECT_NEAR(forward, backward, 1e-4) << rows << " " << length << " " << window;
  }
}

// A constant stays what it is, to the ends.
TEST(MovingAverage, ContinuesWithTheOutermostValues) {
  const std::vector<float> x(10, 2.5f);
  std::vector<float> y(10);
  std::vector<double> scratch(moving_average_scratch_doubles(10, 7));
  moving_average(1, 10, 7, x.data(), y.data(), scratch.data());
  EXPECT_EQ(y, x);
}

}  // namespace
}  // namespace pulsecast::kernels
