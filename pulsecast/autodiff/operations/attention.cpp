#include "pulsecast/autodiff/operations/attention.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/attention_block.h"

namespace pulsecast::autodiff {
namespace {

// Where the gradients of queries and keys go when both are one tensor (self-attention): the kernels
// add to the keys before they have put all the queries, so both must add.
kernels::Gradient outgoing_queries(Tape& tape, const Tensor& queries, bool shared) {
  kernels::Gradient to = tape.outgoing(queries);
  if (to.data != nullptr && shared && !to.accumulate) {
    std::fill_n(to.data, queries.count(), 0.0f);
    to.accumulate = true;
  }
  return to;
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

// Some rows of an attention, and where theirs begin in what it reads and writes.
struct AttentionPart {
  kernels::AttentionShape shape;
  AttentionDropout dropout;
  std::size_t query;
  std::size_t key;
  std::size_t weight;
};

// body(part, scratch) for each part of the rows, which know nothing of each other.
template <typename Body>
void share_attention(Tape& tape, const kernels::AttentionShape& shape,
                     const AttentionDropout& dropout, Body body) {
  const Team& team = tape.team();
  const std::size_t scratch = attention_scratch_floats(shape);
  float* memory = tape.floats(team.workers() * scratch);
  const std::size_t work = shape.queries * shape.keys * shape.token() / 4;
  team.split(shape.rows, kernels::pass_rows(work), [&](const Team::Part& part) {
    AttentionPart own{shape, dropout, part.first * shape.queries * shape.token(),
                      part.first * shape.keys * shape.token(),
                      attention_weight_floats(shape) / shape.rows * part.first};
    own.shape.rows = part.count;
    own.dropout.first_row += part.first;
    body(own, memory + part.worker * scratch);
  });
}

}  // namespace

Tensor attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v, std::size_t heads,
                 const AttentionDropout& dropout) {
  const auto shape = checked_shape("attention", q, k, v, heads);
  const bool tracked = tape.tracks(q, k, v);
  const Tensor y = tape.result(q.shape, tracked);
  tape.spend(4 * shape.rows * shape.queries * shape.keys * shape.token());
  float* weights = tracked ? tape.floats(attention_weight_floats(shape)) : nullptr;
  {
    const ArenaScope scope(tape.arena());
    share_attention(tape, shape, dropout, [&](const AttentionPart& part, float* scratch) {
      kernels::attention(part.shape, q.data + part.query, k.data + part.key, v.data + part.key,
                         part.dropout, y.data + part.query,
                         tracked ? weights + part.weight : nullptr, scratch);
    });
  }
  if (tracked) {
    tape.note([&tape, shape, q, k, v, y, weights, dropout] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      // The kernel makes all three gradients; one that nobody wants goes to memory of its own.
      const auto or_scratch = [&](const Tensor& input, kernels::Gradient to) {
        return to.data == nullptr ? kernels::Gradient{tape.floats(input.count()), false} : to;
      };
      const bool shared = q.slot == k.slot || q.slot == v.slot;
      const kernels::AttentionGradients gradients{or_scratch(q, outgoing_queries(tape, q, shared)),
                                                  or_scratch(k, tape.outgoing(k)),
                                                  or_scratch(v, tape.outgoing(v))};
      const ArenaScope scope(tape.arena());
      share_attention(tape, shape, dropout, [&](const AttentionPart& part, float* scratch) {
        kernels::attention_backward(part.shape, q.data + part.query, k.data + part.key,
                                    v.data + part.key, part.dropout, weights + part.weight,
                                    g + part.query,
                                    {from(gradients.q, part.query), from(gradients.k, part.key),
                                     from(gradients.v, part.key)},
                                    scratch);
      });
    });
  }
  return y;
}

Tensor attention_block(Tape& tape, const Tensor& x_q, const Tensor& x_kv,
                       const AttentionParameters& p, const AttentionDropout& dropout) {
  const auto inner = checked_shape("attention_block", x_q, x_kv, x_kv, 1);
  const kernels::AttentionBlockShape shape{inner.rows, inner.queries, inner.keys, inner.token()};
  for (const Tensor* weight : {&p.query_weight, &p.key_weight, &p.value_weight, &p.output_weight}) {
    require(weight->shape == Shape{shape.token, shape.token}, "attention_block",
            "tokens (rows, tokens, token) and weights (token, token)", x_q, *weight);
  }
  for (const Tensor* bias : {&p.query_bias, &p.key_bias, &p.value_bias, &p.output_bias}) {
    require(bias->shape == Shape{shape.token}, "attention_block",
            "tokens (rows, tokens, token) and biases (token)", x_q, *bias);
  }
  const bool tracked =
      tape.tracks(x_q, x_kv, p.query_weight, p.query_bias, p.key_weight, p.key_bias, p.value_weight,
                  p.value_bias, p.output_weight, p.output_bias);
  const Tensor y = tape.result(x_q.shape, tracked);
  // Two projections of the queries' side, two of the keys', and the products of attention.
  tape.spend(4 * shape.rows * shape.token *
             ((shape.queries + shape.keys) * shape.token + shape.queries * shape.keys));
  const kernels::AttentionBlockWeights weights{{p.query_weight.data, p.query_bias.data},
                                               {p.key_weight.data, p.key_bias.data},
                                               {p.value_weight.data, p.value_bias.data},
                                               {p.output_weight.data, p.output_bias.data}};
  kernels::AttentionBlockSaved saved{};
  if (tracked) {
    saved = {tape.floats(x_q.count()), tape.floats(x_kv.count()),
             tape.floats(attention_weight_floats(inner))};
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
      const kernels::Gradient to_queries = outgoing_queries(tape, x_q, x_q.slot == x_kv.slot);
      const auto to = [&](const Tensor& weight, const Tensor& bias) {
        return kernels::ProjectionGradients{tape.outgoing(weight), tape.outgoing(bias)};
      };
      const kernels::AttentionBlockGradients gradients{to_queries,
                                                       tape.outgoing(x_kv),
                                                       to(p.query_weight, p.query_bias),
                                                       to(p.key_weight, p.key_bias),
                                                       to(p.value_weight, p.value_bias),
                                                       to(p.output_weight, p.output_bias)};
      const ArenaScope scope(tape.arena());
      kernels::attention_block_backward(shape, x_q.data, x_kv.data, weights, dropout, saved, g,
                                        gradients,
                                        tape.floats(attention_block_scratch_floats(shape)));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
