#include "pulsecast/kernels/pointwise/rearrange.h"

#include <numeric>

#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::normals;

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(Rearrange, TransposePutsEveryElementInItsPlace) {
  for (const auto& [rows, columns] :
       {std::array<std::size_t, 2>{1, 1}, {4, 4}, {24, 4}, {5, 7}, {33, 66}, {64, 36}}) {
    const auto x = counting(rows * columns);
    std::vector<float> y(x.size());
    transpose(1, rows, columns, x.data(), false, y.data());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        ASSERT_EQ(y[j * rows + i], x[i * columns + j]) << rows << " x " << columns;
      }
    }
  }
}

TEST(Rearrange, TransposeOfATransposeIsTheSame) {
  for (const auto& [batch, rows, columns] :
       {std::array<std::size_t, 3>{1, 1, 1}, {2, 3, 5}, {3, 40, 70}}) {
    const auto x = normals(batch * rows * columns, 1);
    std::vector<float> y(x.size()), back(x.size(), 1.0f);
    transpose(batch, rows, columns, x.data(), false, y.data());
    EXPECT_EQ(y[columns > 1 && rows > 1 ? rows : 0], x[columns > 1 && rows > 1 ? 1 : 0]);
    transpose(batch, columns, rows, y.data(), true, back.data());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(back[i], x[i] + 1.0f);
  }
}

TEST(Rearrange, PatchesOfAMultipleComeBack) {
  const auto x = counting(2 * 6);
  std::vector<float> y(12), back(12);
  to_tokens(2, 6, 3, PadSide::kLeft, 2, x.data(), y.data());
  EXPECT_EQ(std::vector<float>(y.begin(), y.begin() + 6), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  from_patches(2, 6, 3, y.data(), back.data());
  EXPECT_EQ(back, x);
}

TEST(Rearrange, PaddingRepeatsTheOutermostValue) {
  const auto x = counting(4);
  std::vector<float> y(6);
  to_tokens(1, 4, 3, PadSide::kLeft, 2, x.data(), y.data());  // 0 0 0 1 2 3
  EXPECT_EQ(y, (std::vector<float>{0, 1, 0, 2, 0, 3}));
  to_tokens(1, 4, 3, PadSide::kRight, 2, x.data(), y.data());  // 0 1 2 3 3 3
  EXPECT_EQ(y, (std::vector<float>{0, 3, 1, 3, 2, 3}));
  std::vector<float> first_four(4);
  from_patches(1, 4, 3, y.data(), first_four.data());
  EXPECT_EQ(first_four, x);
}

TEST(Rearrange, TokensEndInAOneAndZeros) {
  const auto x = counting(6);
  std::vector<float> y(12), grad_x(6);
  to_tokens(1, 6, 3, PadSide::kLeft, 4, x.data(), y.data());
  EXPECT_EQ(y, (std::vector<float>{0, 3, 1, 0, 1, 4, 1, 0, 2, 5, 1, 0}));
  to_tokens_adjoint(1, 6, 3, PadSide::kLeft, 4, y.data(), false, grad_x.data());
  EXPECT_EQ(grad_x, x);
}

// <A x, g> = <x, A* g> for every linear map here.
TEST(Rearrange, AdjointsAreTransposes) {
  for (const std::size_t length : {1u, 5u, 12u, 97u}) {
    for (const std::size_t patch : {1u, 3u, 4u, 24u}) {
      const std::size_t patches = (length + patch - 1) / patch;
      const std::size_t padded = patches * patch;
      const auto x = normals(2 * length, 1);
      const auto z = normals(2 * padded, 2);
      const auto dot = [](const auto& a, const auto& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
      };
      for (const PadSide side : {PadSide::kLeft, PadSide::kRight}) {
        std::vector<float> ax(2 * padded), atz(2 * length, 5.0f);
        to_tokens(2, length, patch, side, patches, x.data(), ax.data());
        to_tokens_adjoint(2, length, patch, side, patches, z.data(), false, atz.data());
        EXPECT_NEAR(dot(ax, z), dot(x, atz), 1e-4);
      }
      std::vector<float> bz(2 * length), btx(2 * padded, 5.0f);
      from_patches(2, length, patch, z.data(), bz.data());
      from_patches_adjoint(2, length, patch, x.data(), false, btx.data());
      EXPECT_NEAR(dot(bz, x), dot(z, btx), 1e-4);
    }
  }
}

TEST(Rearrange, GatherAndScatter) {
  const auto table = counting(6);
  const std::vector<std::uint32_t> indices = {2, 0, 2};
  std::vector<float> y(6);
  gather_rows(3, 2, indices.data(), table.data(), y.data());
  EXPECT_EQ(y, (std::vector<float>{4, 5, 0, 1, 4, 5}));
  std::vector<float> sums(6, 1.0f);
  scatter_add_rows(3, 2, indices.data(), y.data(), sums.data());
  EXPECT_EQ(sums, (std::vector<float>{1, 2, 1, 1, 9, 11}));
}

// The newest steps are in a patch whatever the length.
TEST(Rearrange, StridedPatchesReachTheEnd) {
  EXPECT_EQ(strided_patches(96, 16, 8), 12u);
  EXPECT_EQ(strided_patches(16, 16, 8), 2u);
  EXPECT_EQ(strided_patches(15, 16, 8), 1u);
  const auto x = counting(7);
  std::vector<float> y(strided_patches(7, 4, 2) * 4);
  to_strided_patches(1, 7, 4, 2, x.data(), y.data());
  EXPECT_EQ(y, (std::vector<float>{0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 6}));
  std::vector<float> back(7, 1.0f);
  to_strided_patches_adjoint(1, 7, 4, 2, std::vector<float>(12, 1.0f).data(), true, back.data());
  EXPECT_EQ(back, (std::vector<float>{2, 2, 3, 3, 3, 3, 3}));
}

TEST(Rearrange, BlocksAreCopiedOrAdded) {
  const auto x = counting(6);
  std::vector<float> y(8, 10.0f);
  copy_blocks(2, 2, 3, x.data() + 1, 4, false, y.data());
  EXPECT_EQ(y, (std::vector<float>{1, 2, 10, 10, 4, 5, 10, 10}));
  copy_blocks(2, 2, 3, x.data() + 1, 4, true, y.data());
  EXPECT_EQ(y, (std::vector<float>{2, 4, 10, 10, 8, 10, 10, 10}));
}

}  // namespace
}  // namespace pulsecast::kernels
