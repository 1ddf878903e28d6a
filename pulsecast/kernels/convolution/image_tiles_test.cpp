#include "pulsecast/kernels/convolution/image_tiles.h"

#include <numeric>

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/convolution.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::normals;

// Padded and not, and sides that no number of tiles divides.
const std::vector<ConvolutionShape> kTiledShapes = {
    {3, 2, 3, 1, 29, 1, 5, 0, 2}, {2, 3, 2, 13, 11, 4, 3, 3, 1}, {2, 1, 1, 9, 10, 5, 2, 0, 0}};

// body(a way to cut one of the shapes) for all.
template <typename Body>
void for_cuts(Body body) {
  for (const ConvolutionShape& s : kTiledShapes) {
    for (std::size_t rows = 1; rows <= std::min<std::size_t>(s.out_height(), 5); ++rows) {
      for (std::size_t columns = 1; columns <= 6; ++columns) {
        SCOPED_TRACE(::testing::Message() << s.height << " x " << s.width << " in " << rows << " x "
                                          << columns << " tiles");
        body(s, ImageTiles(s, rows, columns));
      }
    }
  }
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(ImageTiles, TheConvolutionOfTilesIsThatOfTheWhole) {
  for_cuts([](const ConvolutionShape& s, const ImageTiles& tiles) {
    const std::vector<float> x = normals(s.samples * s.in * s.height * s.width, 1);
    const std::vector<float> weight = normals(s.out * s.window(), 2);
    std::vector<float> y(s.samples * s.out * s.positions()), expected(y.size());
    reference::convolution(s, x.data(), weight.data(), nullptr, expected.data());

    std::vector<float> images(tiles.image_floats(), 7.0f), results(tiles.result_floats());
    tiles.cut_images(x.data(), images.data(), {});
    reference::convolution(tiles.shape(), images.data(), weight.data(), nullptr, results.data());
    tiles.join_results(results.data(), y.data(), {});
    expect_close(y, expected, 1e-6);
  });
}

// <cut(x), t> = <x, sum(t)>, and so for results.
TEST(ImageTiles, CuttingAndPuttingTogetherAreAdjoint) {
  for_cuts([](const ConvolutionShape& s, const ImageTiles& tiles) {
    const std::vector<float> x = normals(s.samples * s.in * s.height * s.width, 1);
    const std::vector<float> t = normals(tiles.image_floats(), 2);
    std::vector<float> cut(t.size()), sum(x.size(), 7.0f), onto(x.size(), 1.0f);
    tiles.cut_images(x.data(), cut.data(), {});
    tiles.sum_images(t.data(), false, sum.data(), {});
    tiles.sum_images(t.data(), true, onto.data(), {});
    EXPECT_NEAR(dot(cut, t), dot(x, sum), 1e-3);
    for (float& value : onto) value -= 1.0f;
    expect_close(onto, sum, 1e-5);

    const std::vector<float> y = normals(s.samples * s.out * s.positions(), 3);
    std::vector<float> y_tiles(tiles.result_floats(), 7.0f), joined(y.size());
    tiles.cut_results(y.data(), y_tiles.data(), {});
    tiles.join_results(y_tiles.data(), joined.data(), {});
    EXPECT_EQ(joined, y);
    EXPECT_NEAR(dot(y_tiles, y_tiles), dot(y, y), 1e-3);
  });
}

}  // namespace
}  // namespace pulsecast::kernels
