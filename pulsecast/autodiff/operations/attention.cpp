#include "pulsecast/autodiff/operations/attention.h"

#include <algorithm>
#include <array>

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

// The kernels make all three gradients; one that nobody wants goes to memory of its own.
kernels::Gradient or_scratch(Tape& tape, const Tensor& input, kernels::Gradient to) {
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
      const bool shared = q.slot == k.slot || q.slot == v.slot;
      const kernels::AttentionGradients gradients{
          or_scratch(tape, q, outgoing_queries(tape, q, shared)),
          or_scratch(tape, k, tape.outgoing(k)), or_scratch(tape, v, tape.outgoing(v))};
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

namespace {

// Segments of one length that lie one after the other in a sample.
struct SegmentRun {
  kernels::AttentionShape shape;
  std::size_t step;  // the first, in the sample
};

// Whole segments, and what is left over: at most two runs.
struct SegmentRuns {
  std::array<SegmentRun, 2> runs;
  std::size_t count;
};

SegmentRuns runs_of(std::size_t steps, std::size_t length, std::size_t heads, std::size_t width) {
  const std::size_t whole = steps / length;
  const std::size_t rest = steps % length;
  return {{{{{whole, length, length, heads, width, true}, 0},
            {{1, rest, rest, heads, width, true}, whole * length}}},
          rest > 0 ? 2u : 1u};
}

struct Segments {
  std::span<const std::uint32_t> lengths;
  std::size_t steps;
  std::size_t heads;
  std::size_t width;
  const std::size_t* weight_offsets;  // of each sample, in what forward keeps

  SegmentRuns of(std::size_t sample) const { return runs_of(steps, lengths[sample], heads, width); }
};

// body(run, its dropout, offset of its first value, offset of its weights, scratch) for each run.
template <typename Body>
void share_segments(Tape& tape, const Segments& segments, const AttentionDropout& dropout,
                    Body body) {
  const Team& team = tape.team();
  const std::size_t token = segments.heads * segments.width;
  const std::size_t longest = *std::ranges::max_element(segments.lengths);
  const std::size_t scratch = kernels::attention_scratch_floats(
      {1, longest, longest, segments.heads, segments.width, true});
  float* memory = tape.floats(team.workers() * scratch);
  const std::size_t work = segments.steps * longest * token / 4;
  team.split(segments.lengths.size(), kernels::pass_rows(work), [&](const Team::Part& part) {
    for (std::size_t i = 0; i < part.count; ++i) {
      const std::size_t sample = part.first + i;
      const SegmentRuns runs = segments.of(sample);
      std::size_t weight = segments.weight_offsets[sample];
      for (std::size_t r = 0; r < runs.count; ++r) {
        const SegmentRun& run = runs.runs[r];
        AttentionDropout own = dropout;
        own.first_row = 0;
        own.first_mask_row =
            segments.heads * ((dropout.first_row + sample) * segments.steps + run.step);
        body(run, own, (sample * segments.steps + run.step) * token, weight,
             memory + part.worker * scratch);
        weight += attention_weight_floats(run.shape);
      }
    }
  });
}

}  // namespace

Tensor segment_attention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v,
                         std::size_t heads, std::span<const std::uint32_t> lengths,
                         const AttentionDropout& dropout) {
  const auto shape = checked_shape("segment_attention", q, k, v, heads);
  const std::size_t steps = shape.queries;
  require(
      q.shape == k.shape && lengths.size() == shape.rows &&
          std::ranges::all_of(lengths, [&](std::uint32_t s) { return s >= 1 && s <= steps; }),
      "segment_attention",
      "queries, keys and values of one shape (samples, steps, token) and a length from 1 to the "
      "steps for each sample",
      q, k, v);
  const bool tracked = tape.tracks(q, k, v);
  const Tensor y = tape.result(q.shape, tracked);
  const std::span<std::size_t> offsets = tape.arena().allocate<std::size_t>(lengths.size());
  const Segments segments{lengths, steps, heads, shape.width, offsets.data()};
  std::size_t floats = 0;
  for (std::size_t sample = 0; sample < lengths.size(); ++sample) {
    offsets[sample] = floats;
    const SegmentRuns runs = segments.of(sample);
    for (std::size_t r = 0; r < runs.count; ++r) {
      const kernels::AttentionShape& own = runs.runs[r].shape;
      floats += attention_weight_floats(own);
      tape.spend(4 * own.rows * own.queries * own.keys * own.token());
    }
  }
  float* weights = tracked ? tape.floats(floats) : nullptr;
  {
    const ArenaScope scope(tape.arena());
    share_segments(tape, segments, dropout,
                   [&](const SegmentRun& run, const AttentionDropout& own, std::size_t at,
                       std::size_t weight, float* scratch) {
                     kernels::attention(run.shape, q.data + at, k.data + at, v.data + at, own,
                                        y.data + at, tracked ? weights + weight : nullptr, scratch);
                   });
  }
  if (tracked) {
    tape.note([&tape, segments, q, k, v, y, weights, dropout] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const bool shared = q.slot == k.slot || q.slot == v.slot;
      const kernels::AttentionGradients to{or_scratch(tape, q, outgoing_queries(tape, q, shared)),
                                           or_scratch(tape, k, tape.outgoing(k)),
                                           or_scratch(tape, v, tape.outgoing(v))};
      const ArenaScope scope(tape.arena());
      share_segments(tape, segments, dropout,
                     [&](const SegmentRun& run, const AttentionDropout& own, std::size_t at,
                         std::size_t weight, float* scratch) {
                       kernels::attention_backward(
                           run.shape, q.data + at, k.data + at, v.data + at, own, weights + weight,
                           g + at, {from(to.q, at), from(to.k, at), from(to.v, at)}, scratch);
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
