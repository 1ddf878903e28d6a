#include "pulsecast/kernels/attention_block.h"

#include "pulsecast/kernels/linear.h"
#include "pulsecast/kernels/testing.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;
using testing::Scratch;

// The router's shapes, odd ones, more queries than one block, one token.
const std::vector<AttentionBlockShape> kBlockShapes = {
    {3, 24, 24, 16}, {5, 6, 6, 32}, {2, 4, 4, 16}, {2, 7, 11, 5}, {1, 1, 1, 1}, {1, 75, 41, 18},
};

// The block is the same as projecting with the linear kernel around the bare attention.
TEST(AttentionBlock, IsProjectionsAroundTheBareKernel) {
  for_each_target([] {
    for (const AttentionBlockShape& s : kBlockShapes) {
      SCOPED_TRACE(s.queries * 1000 + s.keys);
      const std::size_t token = s.token;
      const std::size_t query_count = s.rows * s.queries * token;
      const std::size_t key_count = s.rows * s.keys * token;
      const auto x_q = normals(query_count, 1);
      const auto x_kv = normals(key_count, 2);
      const auto g = normals(query_count, 3);
      std::array<std::vector<float>, 4> weight, bias, grad_weight, grad_bias, expected_weight,
          expected_bias;
      for (std::size_t i = 0; i < 4; ++i) {
        weight[i] = normals(token * token, 10 + i);
        for (float& w : weight[i]) w /= std::sqrt(static_cast<float>(token));
        bias[i] = normals(token, 20 + i);
        grad_weight[i] = expected_weight[i] = normals(token * token, 30 + i);
        grad_bias[i] = expected_bias[i] = normals(token, 40 + i);
      }
      const AttentionBlockWeights weights{{weight[0].data(), bias[0].data()},
                                          {weight[1].data(), bias[1].data()},
                                          {weight[2].data(), bias[2].data()},
                                          {weight[3].data(), bias[3].data()}};
      const AttentionDropout dropout = testing::dropout_of(0.1f);
      Scratch memory;
      float* scratch = memory.floats(attention_block_scratch_floats(s));
      std::vector<float> queries(query_count), values(key_count), out(query_count),
          inference(query_count);
      const AttentionBlockSaved saved{queries.data(), values.data(),
                                      memory.floats(attention_weight_floats(s.inner()))};
      attention_block(s, x_q.data(), x_kv.data(), weights, dropout, out.data(), &saved, scratch);
      attention_block(s, x_q.data(), x_kv.data(), weights, dropout, inference.data(), nullptr,
                      scratch);
      EXPECT_EQ(out, inference);

      const LinearShape on_queries{s.rows * s.queries, token, token};
      const LinearShape on_keys{s.rows * s.keys, token, token};
      std::vector<float> eq(query_count), ek(key_count), ev(key_count), ec(query_count),
          expected(query_count);
      linear(on_queries, x_q.data(), weight[0].data(), bias[0].data(), eq.data());
      linear(on_keys, x_kv.data(), weight[1].data(), bias[1].data(), ek.data());
      linear(on_keys, x_kv.data(), weight[2].data(), bias[2].data(), ev.data());
      reference::attention(s.inner(), eq.data(), ek.data(), ev.data(), dropout, ec.data());
      linear(on_queries, ec.data(), weight[3].data(), bias[3].data(), expected.data());
      expect_close(out, expected, 5e-6);

      std::vector<float> gx_q(query_count, 1.0f), gx_kv(key_count, 1.0f);
      std::vector<float> ex_q(query_count, 1.0f), ex_kv(key_count, 1.0f);
      const auto to = [](std::vector<float>& sums) { return Gradient{sums.data(), true}; };
      attention_block_backward(s, x_q.data(), x_kv.data(), weights, dropout, saved, g.data(),
                               {to(gx_q),
                                to(gx_kv),
                                {to(grad_weight[0]), to(grad_bias[0])},
                                {to(grad_weight[1]), to(grad_bias[1])},
                                {to(grad_weight[2]), to(grad_bias[2])},
                                {to(grad_weight[3]), to(grad_bias[3])}},
                               scratch);
      std::vector<float> gc(query_count), gq(query_count), gk(key_count), gv(key_count);
      linear_backward(on_queries, ec.data(), weight[3].data(), g.data(),
                      {{gc.data(), false}, to(expected_weight[3]), to(expected_bias[3])});
      reference::attention_backward(s.inner(), eq.data(), ek.data(), ev.data(), dropout, gc.data(),
                                    gq.data(), gk.data(), gv.data());
      linear_backward(on_queries, x_q.data(), weight[0].data(), gq.data(),
                      {to(ex_q), to(expected_weight[0]), to(expected_bias[0])});
      linear_backward(on_keys, x_kv.data(), weight[1].data(), gk.data(),
                      {to(ex_kv), to(expected_weight[1]), to(expected_bias[1])});
      linear_backward(on_keys, x_kv.data(), weight[2].data(), gv.data(),
                      {to(ex_kv), to(expected_weight[2]), to(expected_bias[2])});
      expect_close(gx_q, ex_q, 1e-5);
      expect_close(gx_kv, ex_kv, 1e-5);
      for (std::size_t i = 0; i < 4; ++i) {
        expect_close(grad_weight[i], expected_weight[i], 1e-5);
        expect_close(grad_bias[i], expected_bias[i], 1e-5);
      }
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
