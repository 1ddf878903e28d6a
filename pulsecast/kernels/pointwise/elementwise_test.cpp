#include "pulsecast/kernels/pointwise/elementwise.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/elementwise.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

TEST(Elementwise, ScaleMultiplyCombineWithAndWithoutAccumulating) {
  for_each_target([] {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 100u}) {
      const auto a = normals(count, 1);
      const auto b = normals(count, 2);
      for (const bool accumulate : {false, true}) {
        const auto before = normals(count, 3);
        auto scaled = before;
        auto multiplied = before;
        auto combined = before;
        scale(count, 2.5f, a.data(), accumulate, scaled.data());
        multiply(count, a.data(), b.data(), accumulate, multiplied.data());
        combine(count, 2.0f, a.data(), -3.0f, b.data(), accumulate, combined.data());
        for (std::size_t i = 0; i < count; ++i) {
          const float start = accumulate ? before[i] : 0.0f;
          EXPECT_NEAR(scaled[i], start + 2.5f * a[i], 1e-5);
          EXPECT_NEAR(multiplied[i], start + a[i] * b[i], 1e-5);
          EXPECT_NEAR(combined[i], start + 2.0f * a[i] - 3.0f * b[i], 1e-5);
        }
      }
    }
  });
}

TEST(Elementwise, EightAreAddedInTheTree) {
  for_each_target([] {
    const std::size_t count = 1003;
    std::array<std::vector<float>, 8> values;
    std::array<const float*, 8> pointers{};
    for (std::size_t i = 0; i < 8; ++i) {
      values[i] = normals(count, i);
      pointers[i] = values[i].data();
    }
    std::vector<float> sums(count);
    add_eight(count, pointers, sums.data());
    const auto& v = values;
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(sums[i], ((v[0][i] + v[1][i]) + (v[2][i] + v[3][i])) +
                             ((v[4][i] + v[5][i]) + (v[6][i] + v[7][i])));
    }
  });
}

// One may be overwritten by the sum.
TEST(Elementwise, AnyNumberIsAddedInOrder) {
  for_each_target([] {
    const std::size_t count = 1003;
    for (const std::size_t terms : {1u, 2u, 7u}) {
      std::vector<std::vector<float>> values;
      std::vector<const float*> pointers;
      for (std::size_t k = 0; k < terms; ++k) values.push_back(normals(count, k));
      for (const auto& one : values) pointers.push_back(one.data());
      std::vector<float> expected = values[0];
      for (std::size_t k = 1; k < terms; ++k) {
        for (std::size_t i = 0; i < count; ++i) expected[i] += values[k][i];
      }
      add_in_order(count, pointers, values[0].data());
      ASSERT_EQ(values[0], expected) << terms;
    }
  });
}

TEST(Elementwise, BiasAndColumnSums) {
  for_each_target([] {
    for (const std::size_t columns : {1u, 5u, 8u, 70u, 133u}) {
      const std::size_t rows = 37;
      const auto x = normals(rows * columns, 1);
      const auto bias = normals(columns, 2);
      std::vector<float> y(x.size());
      add_bias(rows, columns, bias.data(), x.data(), y.data());
      for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], x[i] + bias[i % columns]);
      for (const bool accumulate : {false, true}) {
        auto sums = bias;
        auto expected_sums = bias;
        std::vector<float> product(x.size());
        std::vector<float> expected(x.size());
        multiply_and_column_sums(rows, columns, x.data(), y.data(), product.data(), accumulate,
                                 sums.data());
        reference::multiply_and_column_sums(rows, columns, x.data(), y.data(), expected.data(),
                                            accumulate, expected_sums.data());
        EXPECT_EQ(product, expected);
        expect_close(sums, expected_sums, 1e-6);
        auto plain = bias;
        column_sums(rows, columns, product.data(), accumulate, plain.data());
        EXPECT_EQ(plain, sums);
      }
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
