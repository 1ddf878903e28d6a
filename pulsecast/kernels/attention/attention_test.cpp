#include "pulsecast/kernels/attention/attention.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/attention.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;
using testing::Scratch;

// The router's shapes, odd ones, several heads, more queries than one block, one token.
const std::vector<AttentionShape> kAttentionShapes = {
    {3, 24, 24, 1, 16},      {5, 6, 6, 1, 32},        {2, 4, 4, 1, 16},      {2, 12, 12, 4, 8},
    {2, 7, 11, 2, 5},        {1, 1, 1, 1, 1},         {1, 75, 41, 2, 9},     {2, 33, 100, 1, 20},
    {3, 24, 24, 8, 4, true}, {2, 41, 41, 2, 5, true}, {2, 2, 2, 1, 3, true},
};

TEST(Attention, ForwardAndBackwardMatchTheReference) {
  for_each_target([] {
    for (const AttentionShape& s : kAttentionShapes) {
      for (const float rate : {0.0f, 0.1f, 0.5f}) {
        SCOPED_TRACE(s.queries * 1000 + s.keys);
        const std::size_t query_count = s.rows * s.queries * s.token();
        const std::size_t key_count = s.rows * s.keys * s.token();
        const auto q = normals(query_count, 1);
        const auto k = normals(key_count, 2);
        const auto v = normals(key_count, 3);
        const auto g = normals(query_count, 4);
        const AttentionDropout dropout = testing::dropout_of(rate);
        Scratch memory;
        float* scratch = memory.floats(attention_scratch_floats(s));

        std::vector<float> out(query_count), expected(query_count);
        float* saved = memory.floats(attention_weight_floats(s));
        attention(s, q.data(), k.data(), v.data(), dropout, out.data(), saved, scratch);
        reference::attention(s, q.data(), k.data(), v.data(), dropout, expected.data());
        expect_close(out, expected, 2e-6);

        std::vector<float> eq(query_count), ek(key_count), ev(key_count);
        reference::attention_backward(s, q.data(), k.data(), v.data(), dropout, g.data(), eq.data(),
                                      ek.data(), ev.data());
        for (const bool accumulate : {false, true}) {
          const float before = accumulate ? 1.0f : 99.0f;
          std::vector<float> gq(query_count, before), gk(key_count, before), gv(key_count, before);
          attention_backward(
              s, q.data(), k.data(), v.data(), dropout, saved, g.data(),
              {{gq.data(), accumulate}, {gk.data(), accumulate}, {gv.data(), accumulate}}, scratch);
          for (std::vector<float>* values : {&gq, &gk, &gv}) {
            for (float& value : *values) value -= accumulate ? 1.0f : 0.0f;
          }
          if (s.keys > 1) {  // with one key the weight is 1 whatever q and k are: both sides are 0
            expect_close(gq, eq, 1e-5);
            expect_close(gk, ek, 1e-5);
          }
          expect_close(gv, ev, 1e-5);
        }
      }
    }
  });
}

// A shard's rows draw the masks of their place in the batch, not of their place in the shard.
TEST(Attention, MasksDoNotDependOnTheCut) {
  const AttentionShape whole{4, 6, 6, 1, 8};
  const AttentionShape half{2, 6, 6, 1, 8};
  const std::size_t half_floats = 2 * 6 * 8;
  const auto q = normals(2 * half_floats, 1);
  Scratch memory;
  float* scratch = memory.floats(attention_scratch_floats(whole));
  std::vector<float> at_once(q.size()), in_parts(q.size());
  AttentionDropout dropout = testing::dropout_of(0.3f);
  attention(whole, q.data(), q.data(), q.data(), dropout, at_once.data(), nullptr, scratch);
  attention(half, q.data(), q.data(), q.data(), dropout, in_parts.data(), nullptr, scratch);
  dropout.first_row += 2;
  attention(half, q.data() + half_floats, q.data() + half_floats, q.data() + half_floats, dropout,
            in_parts.data() + half_floats, nullptr, scratch);
  EXPECT_EQ(at_once, in_parts);
}

TEST(Attention, MasksMayBeCountedFromElsewhere) {
  const AttentionShape s{2, 6, 6, 2, 8};
  const auto q = normals(2 * 6 * 16, 1);
  Scratch memory;
  float* scratch = memory.floats(attention_scratch_floats(s));
  std::vector<float> by_row(q.size()), by_mask_row(q.size());
  AttentionDropout dropout = testing::dropout_of(0.3f);
  attention(s, q.data(), q.data(), q.data(), dropout, by_row.data(), nullptr, scratch);
  dropout.first_mask_row = dropout.first_row * s.heads * s.queries;
  dropout.first_row = 0;
  attention(s, q.data(), q.data(), q.data(), dropout, by_mask_row.data(), nullptr, scratch);
  EXPECT_EQ(by_row, by_mask_row);
}

// Scores far from zero must not overflow the exponential.
TEST(Attention, LargeScoresStayFinite) {
  const AttentionShape s{1, 8, 8, 1, 4};
  auto q = normals(32, 1);
  for (float& value : q) value *= 300.0f;
  Scratch memory;
  std::vector<float> out(32);
  attention(s, q.data(), q.data(), q.data(), {}, out.data(), nullptr,
            memory.floats(attention_scratch_floats(s)));
  for (const float value : out) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace pulsecast::kernels
