#include "pulsecast/kernels/pointwise/blend.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/attention.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;
using testing::Scratch;

// The router's shapes, odd ones, more queries than one block, one token, and no room for a 1.
const std::vector<BlendShape> kShapes = {
    {3, 24, 24, 8, 4, 8, 4, 5, 0.25f},      {3, 24, 24, 8, 4, 8, 5, 6, 0.25f},
    {5, 6, 6, 24, 16, 24, 16, 17, 0.18f},   {5, 6, 6, 40, 32, 40, 33, 34, 0.18f},
    {2, 7, 11, 5, 3, 6, 2, 6, 1.0f},        {1, 1, 1, 1, 1, 1, 1, 1, 0.5f},
    {1, 75, 41, 18, 18, 24, 18, 19, 0.25f},
};

// Columns [0, used) of rows of `width`.
std::vector<float> columns(const std::vector<float>& rows, std::size_t width, std::size_t used) {
  std::vector<float> taken;
  for (std::size_t at = 0; at < rows.size(); at += width) {
    taken.insert(taken.end(), rows.begin() + at, rows.begin() + at + used);
  }
  return taken;
}

// The same with zeros in place of the others.
std::vector<float> cleared(std::vector<float> rows, std::size_t width, std::size_t used) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % width >= used) rows[i] = 0.0f;
  }
  return rows;
}

// A blend is the bare attention of projected queries, with keys cut to what is matched.
TEST(Blend, IsAttentionToItsOwnTokens) {
  for_each_target([] {
    for (const BlendShape& s : kShapes) {
      SCOPED_TRACE(s.queries * 1000 + s.token);
      const std::size_t query_rows = s.rows * s.queries;
      const std::size_t out_count = query_rows * s.token;
      const auto x_q = normals(query_rows * s.query_token, 1);
      const auto x = cleared(normals(s.rows * s.keys * s.token, 2), s.token, s.mixed);
      const auto map = cleared(normals((s.asked + 1) * s.token, 3), s.token, s.matched);
      const auto g = normals(out_count, 4);
      const AttentionDropout dropout = testing::dropout_of(0.1f);
      Scratch memory;
      float* scratch = memory.floats(blend_scratch_floats(s));
      float* saved = memory.floats(blend_saved_floats(s));
      std::vector<float> out(out_count), inference(out_count);
      blend(s, x_q.data(), x.data(), map.data(), dropout, out.data(), saved, scratch);
      blend(s, x_q.data(), x.data(), map.data(), dropout, inference.data(), nullptr, scratch);
      EXPECT_EQ(out, inference);

      // The reference divides by the root of the width.
      const float factor = s.scale * std::sqrt(static_cast<float>(s.token));
      std::vector<float> eq(out_count), expected(out_count);
      for (std::size_t i = 0; i < query_rows; ++i) {
        for (std::size_t j = 0; j < s.token; ++j) {
          double sum = map[s.asked * s.token + j];
          for (std::size_t k = 0; k < s.asked; ++k) {
            sum += static_cast<double>(x_q[i * s.query_token + k]) * map[k * s.token + j];
          }
          eq[i * s.token + j] = factor * static_cast<float>(sum);
        }
      }
      const auto keys = cleared(x, s.token, s.matched);
      reference::attention(s.inner(), eq.data(), keys.data(), x.data(), dropout, expected.data());
      for (std::size_t i = s.mixed; i < out_count && s.mixed < s.token; i += s.token) {
        expected[i] = 1.0f;
      }
      expect_close(out, expected, 5e-6);

      std::vector<float> grad_x_q(x_q.size(), 1.0f), grad_x(x.size(), 1.0f),
          grad_map(map.size(), 1.0f);
      blend_backward(s, x_q.data(), x.data(), map.data(), dropout, saved, g.data(),
                     {{grad_x_q.data(), true}, {grad_x.data(), true}, {grad_map.data(), true}},
                     scratch);
      const auto used_g = cleared(g, s.token, s.mixed);
      std::vector<float> gq(out_count), gk(x.size()), gv(x.size());
      reference::attention_backward(s.inner(), eq.data(), keys.data(), x.data(), dropout,
                                    used_g.data(), gq.data(), gk.data(), gv.data());
      std::vector<double> expected_x_q(x_q.size(), 1.0), expected_map(map.size(), 1.0);
      std::vector<float> expected_x(x.size());
      for (std::size_t i = 0; i < query_rows; ++i) {
        for (std::size_t j = 0; j < s.matched; ++j) {
          const double slope = factor * gq[i * s.token + j];
          expected_map[s.asked * s.token + j] += slope;
          for (std::size_t k = 0; k < s.asked; ++k) {
            expected_x_q[i * s.query_token + k] += slope * map[k * s.token + j];
            expected_map[k * s.token + j] += slope * x_q[i * s.query_token + k];
          }
        }
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        expected_x[i] = 1.0f + gv[i] + (i % s.token < s.matched ? gk[i] : 0.0f);
      }
      const auto as_floats = [](const std::vector<double>& values) {
        return std::vector<float>(values.begin(), values.end());
      };
      expect_close(grad_x_q, as_floats(expected_x_q), 1e-5);
      expect_close(columns(grad_x, s.token, s.mixed), columns(expected_x, s.token, s.mixed), 1e-5);
      expect_close(columns(grad_map, s.token, s.matched),
                   columns(as_floats(expected_map), s.token, s.matched), 1e-5);
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
