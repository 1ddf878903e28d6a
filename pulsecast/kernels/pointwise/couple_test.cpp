#include "pulsecast/kernels/pointwise/couple.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/couple.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

// A gain that takes a third of the exponents past their bounds, and one that takes none.
TEST(Couple, ForwardAndBackwardMatchTheReference) {
  for_each_target([] {
    for (const std::size_t count : {1u, 13u, 16u, 37u, 1003u}) {
      for (const float gain : {0.1f, -5.0f}) {
        SCOPED_TRACE(static_cast<double>(count) + gain);
        const auto a = normals(count, 1);
        const auto s = normals(count, 2);
        const auto t = normals(count, 3);
        const auto g = normals(count, 4);
        std::vector<float> y(count), alone(count), factors(count), expected(count);
        couple(count, gain, a.data(), s.data(), t.data(), y.data(), factors.data());
        couple(count, gain, a.data(), s.data(), t.data(), alone.data(), nullptr);
        EXPECT_EQ(y, alone);
        reference::couple(count, gain, a.data(), s.data(), t.data(), expected.data());
        expect_close(y, expected, 1e-6);

        std::vector<float> expected_a(count), expected_s(count);
        const double expected_gain = reference::couple_backward(
            count, gain, a.data(), s.data(), g.data(), expected_a.data(), expected_s.data());
        for (const bool accumulate : {false, true}) {
          const float before = accumulate ? 1.0f : 99.0f;
          std::vector<float> to_a(count, before), to_s(count, before);
          const float to_gain =
              couple_backward(count, gain, a.data(), s.data(), factors.data(), g.data(),
                              {to_a.data(), accumulate}, {to_s.data(), accumulate});
          for (std::vector<float>* values : {&to_a, &to_s}) {
            for (float& value : *values) value -= accumulate ? 1.0f : 0.0f;
          }
          expect_close(to_a, expected_a, 1e-5);
          expect_close(to_s, expected_s, 1e-5);
          double size = 0.0;
          for (std::size_t i = 0; i < count; ++i) size += std::abs(expected_s[i] * s[i] / gain);
          EXPECT_NEAR(to_gain, expected_gain, 1e-6 * size);
        }
      }
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
