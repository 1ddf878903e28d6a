// Kernels give the same bits whatever the width of vectors, on every target that has fused
// multiply-adds: a model trained with AVX2 can go on with AVX-512, and the other way round.
#include <cstring>
#include <functional>

#include "pulsecast/kernels/attention/softmax.h"
#include "pulsecast/kernels/normalise/layer_norm.h"
#include "pulsecast/kernels/normalise/revin.h"
#include "pulsecast/kernels/normalise/row_affine.h"
#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/kernels/pointwise/blend.h"
#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/pointwise/gelu.h"
#include "pulsecast/kernels/pointwise/losses.h"
#include "pulsecast/kernels/spectrum/fft.h"
#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::normals;
using testing::Scratch;

// Rows and widths that no vector divides.
constexpr std::size_t kRows = 37;
constexpr std::size_t kWidth = 101;

// compute(out) fills `count` floats; they must be the same on all targets but the plain fallback,
// which has no fused multiply-add.
void expect_same_bits(std::size_t count, const std::function<void(float*)>& compute) {
  std::vector<float> first;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (target == HWY_SCALAR || target == HWY_EMU128) continue;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    std::vector<float> out(count);
    compute(out.data());
    if (first.empty()) first = out;
    EXPECT_EQ(0, std::memcmp(first.data(), out.data(), count * sizeof(float)));
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(VectorWidth, PointwiseKernels) {
  const std::size_t n = kRows * kWidth;
  const auto x = normals(n, 1);
  const auto y = normals(n, 2);
  expect_same_bits(2 * n, [&](float* out) { gelu(n, x.data(), out, out + n); });
  expect_same_bits(n, [&](float* out) { gelu(n, x.data(), out, nullptr); });
  expect_same_bits(n, [&](float* out) { combine(n, 0.3f, x.data(), 0.7f, y.data(), false, out); });
  expect_same_bits(n + kWidth, [&](float* out) {
    multiply_and_column_sums(kRows, kWidth, x.data(), y.data(), out, false, out + n);
  });
  expect_same_bits(3 * n, [&](float* out) {
    std::copy(y.begin(), y.end(), out);
    adam(n, {.learning_rate = 1e-3}, 3, x.data(), out, out + n, out + 2 * n);
  });
  expect_same_bits(n + 1, [&](float* out) {
    out[n] = static_cast<float>(sum_squared_error(n, x.data(), y.data(), 0.1f, out));
  });
}

TEST(VectorWidth, KernelsThatSumOverRows) {
  const std::size_t n = kRows * kWidth;
  const auto x = normals(n, 1);
  const auto g = normals(n, 2);
  const auto gamma = normals(kWidth, 3);
  const auto beta = normals(kWidth, 4);
  expect_same_bits(n, [&](float* out) { softmax(kRows, kWidth, x.data(), out); });
  expect_same_bits(n, [&](float* out) {
    softmax_backward(kRows, kWidth, x.data(), g.data(), {out, false});
  });
  expect_same_bits(3 * n + kRows + 2 * kWidth, [&](float* out) {
    float* inverse = out + 3 * n;
    layer_norm(kRows, kWidth, x.data(), gamma.data(), beta.data(), out, out + n, inverse);
    layer_norm_backward(kRows, kWidth, out + n, inverse, gamma.data(), g.data(),
                        {.x = {out + 2 * n, false},
                         .gamma = {inverse + kRows, false},
                         .beta = {inverse + kRows + kWidth, false}});
  });
  expect_same_bits(3 * n + 4 * kRows, [&](float* out) {
    const RevinShape shape{kRows, kWidth, 1};
    float* rows = out + 3 * n;
    revin(shape, x.data(), nullptr, gamma.data(), beta.data(), out, out + n, rows, rows + kRows);
    revin_backward(shape, out + n, rows + kRows, gamma.data(),
                   {.y = g.data(), .mean = nullptr, .deviation = nullptr},
                   {.x = {out + 2 * n, false},
                    .anchor = {},
                    .gamma = rows + 2 * kRows,
                    .beta = rows + 3 * kRows});
  });
  expect_same_bits(n + 2 * kRows, [&](float* out) {
    row_affine_backward(kRows, kWidth, x.data(), nullptr, gamma.data(), g.data(),
                        {{out, false}, {}, out + n, out + n + kRows});
  });
}

TEST(VectorWidth, Attention) {
  const auto dropout = testing::dropout_of(0.1f);
  for (const std::size_t keys : {6, 24, 41}) {
    const AttentionShape s{5, 7, keys, 2, 12};
    const auto q = normals(s.rows * s.queries * s.token(), 1);
    const auto k = normals(s.rows * keys * s.token(), 2);
    const auto v = normals(s.rows * keys * s.token(), 3);
    const std::size_t n = q.size();
    expect_same_bits(2 * n + 2 * k.size(), [&](float* out) {
      Scratch memory;
      float* weights = memory.floats(attention_weight_floats(s));
      float* scratch = memory.floats(attention_scratch_floats(s));
      attention(s, q.data(), k.data(), v.data(), dropout, out, weights, scratch);
      attention_backward(s, q.data(), k.data(), v.data(), dropout, weights, q.data(),
                         {{out + n, false}, {out + 2 * n, false}, {out + 2 * n + k.size(), false}},
                         scratch);
    });
  }
}

TEST(VectorWidth, Blend) {
  const auto dropout = testing::dropout_of(0.1f);
  const BlendShape s{kRows, 24, 24, 8, 4, 8, 5, 6, 0.25f};
  const auto x_q = normals(s.rows * s.queries * s.query_token, 1);
  const auto x = normals(s.rows * s.keys * s.token, 2);
  const auto map = normals((s.asked + 1) * s.token, 3);
  const std::size_t n = x.size();
  expect_same_bits(3 * n + map.size(), [&](float* out) {
    Scratch memory;
    float* saved = memory.floats(blend_saved_floats(s));
    float* scratch = memory.floats(blend_scratch_floats(s));
    blend(s, x_q.data(), x.data(), map.data(), dropout, out, saved, scratch);
    blend_backward(s, x_q.data(), x.data(), map.data(), dropout, saved, x.data(),
                   {{out + n, false}, {out + 2 * n, false}, {out + 3 * n, false}}, scratch);
  });
}

TEST(VectorWidth, Spectrum) {
  for (const std::size_t length : {96, 101}) {
    const RealFft fft(length);
    const auto x = normals(kRows * length, 1);
    const std::size_t bins = kRows * (length / 2 + 1) * 2;
    expect_same_bits(bins + 2 * x.size() + 1, [&](float* out) {
      Scratch memory;
      float* scratch = memory.floats(fft.scratch_floats());
      fft.forward(x.data(), kRows, out, scratch);
      fft.inverse(out, kRows, out + bins, scratch);
      float* gradient = out + bins + x.size();
      gradient[x.size()] =
          static_cast<float>(fft.sum_of_moduli(x.data(), kRows, 0.1f, gradient, scratch));
    });
  }
}

}  // namespace
}  // namespace pulsecast::kernels
