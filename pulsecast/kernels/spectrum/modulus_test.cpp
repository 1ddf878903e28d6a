#include "pulsecast/kernels/spectrum/modulus.h"

#include <gtest/gtest.h>

#include <vector>

namespace pulsecast::kernels {
namespace {

TEST(Modulus, OfAFewThatAreKnown) {
  const std::vector<float> z = {3.0f, 4.0f, 0.0f, 0.0f, -5.0f, 12.0f};
  std::vector<float> y(3), back(6, 1.0f);
  modulus(3, z.data(), y.data());
  EXPECT_EQ(y, (std::vector<float>{5.0f, 0.0f, 13.0f}));
  modulus_backward(3, z.data(), y.data(), std::vector<float>{5.0f, 7.0f, 13.0f}.data(),
                   {back.data(), true});
  EXPECT_EQ(back, (std::vector<float>{4.0f, 5.0f, 1.0f, 1.0f, -4.0f, 13.0f}));
}

}  // namespace
}  // namespace pulsecast::kernels
