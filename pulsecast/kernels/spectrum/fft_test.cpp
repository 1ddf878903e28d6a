#include "pulsecast/kernels/spectrum/fft.h"

#include "pulsecast/base/error.h"
#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/fft.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;
using testing::Scratch;

// Powers, mixed radices, every small prime, squares of primes, and lengths that need Bluestein.
const std::vector<std::size_t> kLengths = {1,  2,   3,   4,   5,   6,   7,   8,   9,    11,  13, 16,
                                           17, 19,  23,  24,  29,  31,  37,  49,  53,   60,  74, 96,
                                           97, 101, 121, 128, 192, 336, 359, 720, 1009, 1024};

TEST(RealFft, MatchesTheDefinitionForEveryLengthAndTarget) {
  for (const std::size_t n : kLengths) {
    SCOPED_TRACE(n);
    const RealFft fft(n);
    constexpr std::size_t kMostRows = 35;
    const auto in = normals(kMostRows * n, n);
    std::vector<float> expected(kMostRows * fft.bins() * 2);
    reference::real_fft(n, in.data(), kMostRows, expected.data());
    for_each_target([&] {
      for (const std::size_t rows : {std::size_t{1}, std::size_t{2}, std::size_t{9}, kMostRows}) {
        std::vector<float> out(rows * fft.bins() * 2);
        Scratch scratch;
        fft.forward(in.data(), rows, out.data(), scratch.floats(fft.scratch_floats()));
        expect_close(out, std::span(expected).first(out.size()), 2e-6);
      }
    });
  }
}

TEST(RealFft, InverseGoesBack) {
  for_each_target([] {
    for (const std::size_t n : kLengths) {
      SCOPED_TRACE(n);
      const RealFft fft(n);
      const std::size_t rows = 19;
      const auto in = normals(rows * n, n + 1);
      std::vector<float> spectrum(rows * fft.bins() * 2);
      std::vector<float> back(in.size());
      Scratch memory;
      float* scratch = memory.floats(fft.scratch_floats());
      fft.forward(in.data(), rows, spectrum.data(), scratch);
      fft.inverse(spectrum.data(), rows, back.data(), scratch);
      expect_close(back, in, 2e-6);
    }
  });
}

// <F^-1 z, g> = <z, its adjoint of g> for every z and g.
TEST(RealFft, AdjointOfTheInverseIsItsTranspose) {
  for_each_target([] {
    for (const std::size_t n : kLengths) {
      SCOPED_TRACE(n);
      const std::size_t rows = 3;
      const RealFft fft(n);
      const auto z = normals(rows * fft.bins() * 2, 1);
      const auto g = normals(rows * n, 2);
      std::vector<float> y(g.size());
      std::vector<float> back(z.size(), 1.0f);
      std::vector<float> written(z.size(), 99.0f);
      Scratch memory;
      float* scratch = memory.floats(fft.scratch_floats());
      fft.inverse(z.data(), rows, y.data(), scratch);
      fft.inverse_adjoint(g.data(), rows, back.data(), true, scratch);
      fft.inverse_adjoint(g.data(), rows, written.data(), false, scratch);
      double left = 0;
      double right = 0;
      for (std::size_t i = 0; i < y.size(); ++i) left += y[i] * g[i];
      for (std::size_t i = 0; i < z.size(); ++i) {
        right += z[i] * (back[i] - 1.0f);
        ASSERT_NEAR(back[i], written[i] + 1.0f, 1e-5) << i;
      }
      EXPECT_NEAR(left, right, 1e-5 * static_cast<double>(n));
    }
  });
}

// <F x, g> = <x, F* g> for every x and g: the adjoint is the transpose of the forward map.
TEST(RealFft, AdjointIsTheTranspose) {
  for_each_target([] {
    for (const std::size_t n : kLengths) {
      SCOPED_TRACE(n);
      const RealFft fft(n);
      const auto x = normals(n, 1);
      const auto g = normals(fft.bins() * 2, 2);
      std::vector<float> fx(g.size());
      std::vector<float> ftg(n, 1.0f);
      Scratch memory;
      float* scratch = memory.floats(fft.scratch_floats());
      fft.forward(x.data(), 1, fx.data(), scratch);
      fft.adjoint(g.data(), 1, ftg.data(), true, scratch);
      double left = 0;
      double right = 0;
      for (std::size_t i = 0; i < g.size(); ++i) left += fx[i] * g[i];
      for (std::size_t i = 0; i < n; ++i) right += x[i] * (ftg[i] - 1.0f);
      EXPECT_NEAR(left, right, 1e-5 * static_cast<double>(n));
    }
  });
}

TEST(RealFft, SumOfModuliIsThatOfTheFullSpectrum) {
  for_each_target([] {
    for (const std::size_t n : {1u, 2u, 5u, 24u, 96u, 97u, 720u}) {
      SCOPED_TRACE(n);
      const RealFft fft(n);
      const std::size_t rows = 21;
      const auto in = normals(rows * n, n);
      std::vector<float> spectrum(rows * fft.bins() * 2);
      reference::real_fft(n, in.data(), rows, spectrum.data());
      double expected = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t k = 0; k < n; ++k) {
          const std::size_t bin = std::min(k, n - k);
          const float* value = spectrum.data() + (row * fft.bins() + bin) * 2;
          expected += std::hypot(value[0], value[1]);
        }
      }
      Scratch memory;
      float* scratch = memory.floats(fft.scratch_floats());
      std::vector<float> gradient(in.size());
      const double sum = fft.sum_of_moduli(in.data(), rows, 1.0f, gradient.data(), scratch);
      EXPECT_NEAR(sum / expected, 1.0, 1e-6);
      EXPECT_EQ(sum, fft.sum_of_moduli(in.data(), rows, 1.0f, nullptr, scratch));
      // The sum is homogeneous of degree one, so <gradient, x> is the sum itself (Euler).
      double euler = 0;
      for (std::size_t i = 0; i < in.size(); ++i) euler += static_cast<double>(gradient[i]) * in[i];
      EXPECT_NEAR(euler / expected, 1.0, 1e-5);
    }
  });
}

TEST(RealFft, AModulusOfZeroHasGradientZero) {
  const RealFft fft(24);
  const std::vector<float> in(24, 0.0f);
  std::vector<float> gradient(24, 7.0f);
  Scratch memory;
  EXPECT_EQ(
      fft.sum_of_moduli(in.data(), 1, 1.0f, gradient.data(), memory.floats(fft.scratch_floats())),
      0.0);
  EXPECT_EQ(gradient, std::vector<float>(24, 0.0f));
}

TEST(RealFft, RefusesNothing) { EXPECT_THROW(RealFft(0), Error); }

}  // namespace
}  // namespace pulsecast::kernels
