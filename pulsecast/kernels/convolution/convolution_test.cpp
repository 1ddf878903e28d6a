#include "pulsecast/kernels/convolution/convolution.h"

#include "pulsecast/kernels/convolution/spectral_convolution.h"
#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/convolution.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::normals;
using testing::Scratch;

// The time-step convolution, odd and even kernels, no and full padding, a kernel wider than the
// image, two dimensions, enough samples for several chunks and for a team, and kernels so large
// that they go over the spectrum, of images that they cover, that they do not, and that are so long
// that they are cut into tiles.
const std::vector<ConvolutionShape> kConvolutionShapes = {
    {3, 24, 24, 1, 7, 1, 5, 0, 2},     {2, 5, 3, 1, 9, 1, 1, 0, 0},
    {2, 3, 4, 1, 6, 1, 4, 0, 3},       {2, 4, 4, 1, 2, 1, 11, 0, 5},
    {1, 1, 1, 1, 1, 1, 1, 0, 0},       {2, 3, 4, 5, 6, 3, 3, 1, 1},
    {2, 2, 3, 7, 5, 5, 3, 0, 2},       {40, 96, 96, 1, 21, 1, 5, 0, 2},
    {8, 4, 6, 8, 24, 11, 11, 5, 5},    {9, 5, 3, 2, 40, 11, 11, 5, 5},
    {4, 6, 4, 13, 12, 7, 9, 2, 8},     {3, 2, 2, 1, 3, 11, 11, 5, 5},
    {13, 16, 20, 8, 24, 11, 11, 5, 5}, {5, 3, 4, 2, 131, 3, 11, 1, 5},
    {4, 4, 3, 97, 6, 11, 11, 5, 5},    {2, 3, 2, 40, 45, 9, 8, 8, 0},
};

// One thread alone, and threads that share: the latter cut even where there is one of them.
class Teams {
 public:
  std::vector<Team> all() { return {Team(), Team(one_), Team(three_)}; }

 private:
  ThreadPool one_{1};
  ThreadPool three_{3};
};

std::string text_of(const ConvolutionShape& s) {
  return (::testing::Message() << s.in << " -> " << s.out << ", " << s.height << " x " << s.width
                               << ", kernel " << s.kernel_height << " x " << s.kernel_width)
      .GetString();
}

struct Inputs {
  std::vector<float> x;
  std::vector<float> weight;
  std::vector<float> bias;
  std::vector<float> grad_y;
};

Inputs inputs_of(const ConvolutionShape& s) {
  return {normals(s.samples * s.in * s.height * s.width, 1), normals(s.out * s.window(), 2),
          normals(s.out, 3), normals(s.samples * s.out * s.positions(), 4)};
}

TEST(Convolution, ForwardAndBackwardMatchTheReference) {
  Teams teams;
  for (const ConvolutionShape& s : kConvolutionShapes) {
    SCOPED_TRACE(text_of(s));
    const auto [x, weight, bias, grad_y] = inputs_of(s);
    std::vector<float> ex(x.size()), ew(weight.size()), eb(s.out);
    reference::convolution_backward(s, x.data(), weight.data(), grad_y.data(), ex.data(), ew.data(),
                                    eb.data());
    const ConvolutionPlan plan(s);
    for (const Team& team : teams.all()) {
      Scratch memory;
      float* scratch = memory.floats(convolution_scratch_floats(plan, team));
      for (const float* b : {bias.data(), static_cast<const float*>(nullptr)}) {
        std::vector<float> y(grad_y.size()), expected(grad_y.size());
        convolution(plan, x.data(), weight.data(), b, y.data(), scratch, team);
        reference::convolution(s, x.data(), weight.data(), b, expected.data());
        expect_close(y, expected, 2e-6);
      }
      for (const bool accumulate : {false, true}) {
        const float before = accumulate ? 1.0f : 77.0f;
        std::vector<float> gx(x.size(), before), gw(weight.size(), before), gb(s.out, before);
        convolution_backward(
            plan, x.data(), weight.data(), grad_y.data(),
            {{gx.data(), accumulate}, {gw.data(), accumulate}, {gb.data(), accumulate}}, scratch,
            team);
        for (std::vector<float>* values : {&gx, &gw, &gb}) {
          for (float& value : *values) value -= accumulate ? 1.0f : 0.0f;
        }
        expect_close(gx, ex, 5e-6);
        expect_close(gw, ew, 5e-6);
        expect_close(gb, eb, 5e-6);
      }
    }
  }
}

// The two ways do the same, where either may be taken.
TEST(Convolution, SpectralMatchesTheReferenceOnEveryShape) {
  std::size_t cheaper = 0;
  for (const ConvolutionShape& s : kConvolutionShapes) {
    SCOPED_TRACE(text_of(s));
    const ImageTiles tiles = cheapest_tiles(s);
    cheaper += is_spectral_cheaper(tiles) ? 1 : 0;
    const auto [x, weight, bias, grad_y] = inputs_of(s);
    Scratch memory;
    float* scratch = memory.floats(spectral_convolution_scratch_floats(tiles, {}));
    std::vector<float> y(grad_y.size()), expected(grad_y.size());
    spectral_convolution(tiles, x.data(), weight.data(), bias.data(), y.data(), scratch, {});
    reference::convolution(s, x.data(), weight.data(), bias.data(), expected.data());
    expect_close(y, expected, 3e-6);
    std::vector<float> ex(x.size()), ew(weight.size()), eb(s.out);
    reference::convolution_backward(s, x.data(), weight.data(), grad_y.data(), ex.data(), ew.data(),
                                    eb.data());
    std::vector<float> gx(x.size(), 1.0f), gw(weight.size(), 77.0f);
    spectral_convolution_backward(tiles, x.data(), weight.data(), grad_y.data(),
                                  {{gx.data(), true}, {gw.data(), false}, {}}, scratch, {});
    for (float& value : gx) value -= 1.0f;
    expect_close(gx, ex, 5e-6);
    expect_close(gw, ew, 5e-6);
  }
  EXPECT_GT(cheaper, 0u);
  EXPECT_LT(cheaper, kConvolutionShapes.size());
}

}  // namespace
}  // namespace pulsecast::kernels
