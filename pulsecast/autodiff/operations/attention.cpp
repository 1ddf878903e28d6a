#include "pulsecast/autodiff/operations/attention.h"

#include <algorithm>

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/pointwise/blend.h"

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

Tensor blend(Tape& tape, const Tensor& x_q, const Tensor& x, const Tensor& map,
             const BlendColumns& columns, float scale, const AttentionDropout& dropout) {
  require(x_q.shape.rank() == 3 && x.shape.rank() == 3 && x_q.shape[0] == x.shape[0] &&
              map.shape.rank() == 2 && map.shape[1] == x.shape[2] && map.shape[0] >= 1 &&
              map.shape[0] - 1 <= x_q.shape[2] && columns.matched <= x.shape[2] &&
              columns.mixed <= x.shape[2],
          "blend", "x_q (rows, queries, a), x (rows, keys, token), map (at most a + 1, token)", x_q,
          x, map);
  const kernels::BlendShape shape{.rows = x.shape[0],
                                  .queries = x_q.shape[1],
                                  .keys = x.shape[1],
                                  .query_token = x_q.shape[2],
                                  .asked = map.shape[0] - 1,
                                  .token = x.shape[2],
                                  .matched = columns.matched,
                                  .mixed = columns.mixed,
                                  .scale = scale};
  const bool tracked = tape.tracks(x_q, x, map);
  const Tensor y = tape.result({shape.rows, shape.queries, shape.token}, tracked);
  tape.spend(2 * shape.rows * shape.queries *
             (shape.asked * shape.matched + shape.keys * (shape.matched + shape.mixed)));
  float* saved = tracked ? tape.floats(blend_saved_floats(shape)) : nullptr;
  {
    const ArenaScope scope(tape.arena());
    kernels::blend(shape, x_q.data, x.data, map.data, dropout, y.data, saved,
                   tape.floats(blend_scratch_floats(shape)));
  }
  if (tracked) {
    tape.note([&tape, shape, x_q, x, map, dropout, saved, y] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::BlendGradients gradients{outgoing_queries(tape, x_q, x_q.slot == x.slot),
                                              tape.outgoing(x), tape.outgoing(map)};
      const ArenaScope scope(tape.arena());
      kernels::blend_backward(shape, x_q.data, x.data, map.data, dropout, saved, g, gradients,
                              tape.floats(blend_scratch_floats(shape)));
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
