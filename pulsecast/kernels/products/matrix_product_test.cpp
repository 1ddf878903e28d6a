#include "pulsecast/kernels/products/matrix_product.h"

#include <fmt/format.h>

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/matrix_product.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

struct Sizes {
  std::size_t m, n, k;
};

// Of one row and of none, of tails in every direction, and of sums in several blocks.
constexpr Sizes kSizes[] = {{1, 1, 1},    {0, 5, 3},     {3, 5, 0},     {3, 5, 7},   {7, 33, 31},
                            {14, 32, 64}, {64, 96, 33},  {7, 1, 100},   {1, 50, 2},  {31, 31, 257},
                            {33, 17, 7},  {130, 50, 40}, {29, 70, 600}, {13, 16, 16}};

TEST(MatrixProduct, MatchesTheReferenceHoweverItsFactorsLie) {
  for_each_target([] {
    testing::Scratch memory;
    for (const auto& [m, n, k] : kSizes) {
      for (const bool a_transposed : {false, true}) {
        for (const bool b_transposed : {false, true}) {
          SCOPED_TRACE(fmt::format("{} x {} x {}{}{}", m, k, n, a_transposed ? ", A turned" : "",
                                   b_transposed ? ", B turned" : ""));
          const std::size_t a_stride = (a_transposed ? m : k) + 2;
          const std::size_t b_stride = (b_transposed ? k : n) + 1;
          const std::size_t c_stride = n + 3;
          const auto a_values = normals((a_transposed ? k : m) * a_stride, 1);
          const auto b_values = normals((b_transposed ? n : k) * b_stride, 2);
          const auto bias = normals(n, 4);
          const Matrix a{a_values.data(), a_stride, a_transposed};
          const Matrix b{b_values.data(), b_stride, b_transposed};
          const PackedMatrix packed = pack_matrix(k, n, b, memory.floats(packed_floats(k, n)));
          // What is past the end of a row stays as it is, so all of C is compared.
          for (const bool accumulate : {false, true}) {
            for (const float* added : {bias.data(), static_cast<const float*>(nullptr)}) {
              const auto before = normals(m * c_stride, 3);
              const auto product = [&](auto function) {
                auto c = before;
                function(ProductTarget{c.data(), c_stride, accumulate, added});
                return c;
              };
              const auto theirs = product(
                  [&](const ProductTarget& to) { reference::matrix_product(m, n, k, a, b, to); });
              const auto ours =
                  product([&](const ProductTarget& to) { matrix_product(m, n, k, a, b, to); });
              expect_close(ours, theirs, 1e-6);
              EXPECT_EQ(ours, product([&](const ProductTarget& to) {
                          matrix_product(m, a, packed, to);
                        }));
            }
          }
        }
      }
    }
  });
}

TEST(MatrixProduct, GoesThroughGeluAndKeepsItsSlope) {
  for_each_target([] {
    for (const auto& [m, n, k] : kSizes) {
      const auto a = normals(m * k, 1);
      auto b = normals(k * n, 2);
      for (float& value : b) value *= 0.2f;
      const auto bias = normals(n, 3);
      for (const bool keeps_slope : {false, true}) {
        std::vector<float> ours(m * n), our_slope(m * n), theirs(m * n), their_slope(m * n);
        const auto target = [&](std::vector<float>& values, std::vector<float>& slope) {
          return ProductTarget{.data = values.data(),
                               .stride = n,
                               .bias = bias.data(),
                               .through_gelu = true,
                               .slope = keeps_slope ? slope.data() : nullptr};
        };
        const Matrix left{a.data(), k};
        const Matrix right{b.data(), n};
        matrix_product(m, n, k, left, right, target(ours, our_slope));
        reference::matrix_product(m, n, k, left, right, target(theirs, their_slope));
        expect_close(ours, theirs, 1e-6);
        expect_close(our_slope, their_slope, 4e-6);
      }
    }
  });
}

// Who else is in a batch, and how wide the vectors are, changes no bit.
TEST(MatrixProduct, ARowHasTheSameBitsAloneInABatchAndWithAnyVectors) {
  const std::size_t m = 45, n = 83, k = 700;
  const auto a = normals(m * k, 1);
  const auto b = normals(k * n, 2);
  std::vector<std::vector<float>> by_target;
  for_each_target([&] {
    std::vector<float> all(m * n);
    matrix_product(m, n, k, {a.data(), k}, {b.data(), n}, {.data = all.data(), .stride = n});
    for (std::size_t row = 0; row < m; ++row) {
      std::vector<float> alone(n);
      matrix_product(1, n, k, {a.data() + row * k, k}, {b.data(), n},
                     {.data = alone.data(), .stride = n});
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.begin() + row * n)) << row;
    }
    by_target.push_back(std::move(all));
  });
  // The last is the fallback, which has no fused multiply-add.
  for (std::size_t i = 1; i + 1 < by_target.size(); ++i) EXPECT_EQ(by_target[0], by_target[i]);
}

}  // namespace
}  // namespace pulsecast::kernels
