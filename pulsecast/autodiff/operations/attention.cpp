#include "pulsecast/autodiff/operations/attention.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"

namespace pulsecast::autodiff {
namespace {

// The kernels make every gradient on their way; one that nobody wants goes to memory of its own.
kernels::Gradient outgoing_or_scratch(Tape& tape, const Tensor& input) {
  const kernels::Gradient to = tape.outgoing(input);
  return to.data == nullptr ? kernels::Gradient{tape.floats(input.count()), false} : to;
}

kernels::AttentionShape checked_shape(const char* operation, const Tensor& q, const Tensor& k,
                                      const Tensor& v, std::size_t heads) {
  require(q.shape.rank() == 3 && k.shape.rank() == 3 && k.shape == v.shape &&
              q.shape[0] == k.shape[0] && q.shape[2] == k.shape[2],
          operation, "queries (rows, queries, token), keys and values (rows, keys, token)", q, k,
          v);
  if (heads == 0 || q.shape[2] % heads != 0) {
    throw_error(ErrorKind::kUsage, operation, "expected heads that divide the token of {}, got {}",
                q.shape[2], heads);
  }
  return {q.shape[0], q.shape[1], k.shape[1], heads, q.shape[2] / heads};
}

}  // namespace

Tensor attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v, std::size_t heads,
                 const AttentionDropout& dropout) {
  const auto shape = checked_shape("attention", q, k, v, heads);
  const bool tracked = tape.tracks(q, k, v);
  const Tensor y = tape.result(q.shape, tracked);
  float* weights = tracked ? tape.floats(attention_weight_floats(shape)) : nullptr;
  {
    const ArenaScope scope(tape.arena());
    kernels::attention(shape, q.data, k.data, v.data, dropout, y.data, weights,
                       tape.floats(attention_scratch_floats(shape)));
  }
  if (tracked) {
    tape.note([&tape, shape, q, k, v, y, weights, dropout] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      kernels::AttentionGradients gradients{outgoing_or_scratch(tape, q), {}, {}};
      // Self-attention: the kernel adds to keys and values before it has put all the queries.
      if (q.wants_gradient() && (q.slot == k.slot || q.slot == v.slot) && !gradients.q.accumulate) {
        std::fill_n(gradients.q.data, q.count(), 0.0f);
        gradients.q.accumulate = true;
      }
      gradients.k = outgoing_or_scratch(tape, k);
      gradients.v = outgoing_or_scratch(tape, v);
      const ArenaScope scope(tape.arena());
      kernels::attention_backward(shape, q.data, k.data, v.data, dropout, weights, g, gradients,
                                  tape.floats(attention_scratch_floats(shape)));
    });
  }
  return y;
}

Tensor attention_block(Tape& tape, const Tensor& x_q, const Tensor& x_kv,
                       const AttentionParameters& p, std::size_t heads,
                       const AttentionDropout& dropout) {
  const auto shape = checked_shape("attention_block", x_q, x_kv, x_kv, heads);
  const std::size_t token = shape.token();
  for (const Tensor* weight : {&p.query_weight, &p.key_weight, &p.value_weight, &p.output_weight}) {
    require(weight->shape == Shape{token, token}, "attention_block",
            "tokens (rows, tokens, token) and weights (token, token)", x_q, *weight);
  }
  for (const Tensor* bias : {&p.query_bias, &p.key_bias, &p.value_bias, &p.output_bias}) {
    require(bias->shape == Shape{token}, "attention_block",
            "tokens (rows, tokens, token) and biases (token)", x_q, *bias);
  }
  const bool tracked =
      tape.tracks(x_q, x_kv, p.query_weight, p.query_bias, p.key_weight, p.key_bias, p.value_weight,
                  p.value_bias, p.output_weight, p.output_bias);
  const Tensor y = tape.result(x_q.shape, tracked);
  const kernels::AttentionWeights weights{{p.query_weight.data, p.query_bias.data},
                                          {p.key_weight.data, p.key_bias.data},
                                          {p.value_weight.data, p.value_bias.data},
                                          {p.output_weight.data, p.output_bias.data}};
  kernels::AttentionBlockSaved saved{};
  if (tracked) {
    saved = {tape.floats(x_q.count()), tape.floats(x_kv.count()), tape.floats(x_kv.count()),
             tape.floats(x_q.count()), tape.floats(attention_weight_floats(shape))};
  }
  {
    const ArenaScope scope(tape.arena());
    kernels::attention_block(shape, x_q.data, x_kv.data, weights, dropout, y.data,
                             tracked ? &saved : nullptr,
                             tape.floats(attention_block_scratch_floats(shape)));
  }
  if (tracked) {
    tape.note([&tape, shape, x_q, x_kv, p, weights, dropout, saved, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to_q = tape.outgoing(x_q);
      const kernels::AttentionBlockGradients gradients{
          to_q,
          tape.outgoing(x_kv),
          {outgoing_or_scratch(tape, p.query_weight), outgoing_or_scratch(tape, p.query_bias)},
          {outgoing_or_scratch(tape, p.key_weight), outgoing_or_scratch(tape, p.key_bias)},
          {outgoing_or_scratch(tape, p.value_weight), outgoing_or_scratch(tape, p.value_bias)},
          {outgoing_or_scratch(tape, p.output_weight), outgoing_or_scratch(tape, p.output_bias)}};
      const ArenaScope scope(tape.arena());
      kernels::attention_block_backward(shape, x_q.data, x_kv.data, weights, dropout, saved, g,
                                        gradients,
                                        tape.floats(attention_block_scratch_floats(shape)));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
