// For tests: a model of few weights, and batches of noise that it can read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "pulsecast/base/random.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/model_shape.h"
#include "pulsecast/settings/model_declaration.h"

namespace pulsecast::model::testing {

// Every part is there, and the patch divides neither look-back nor horizon.
inline ModelShape small_shape() {
  return {.lookback = 13,
          .horizon = 7,
          .channels = 3,
          .features = 2,
          .period = 6,
          .hidden = 16,
          .codebook_rows = 4,
          .time_kernel = 3,
          .time_width_a = 4,
          .time_width_b = 5,
          .patch = 5,
          .router_width = 8};
}

// The same around every backbone, with sizes as small as they come, and every backbone alone.
inline std::vector<ModelShape> every_backbone() {
  std::vector<ModelShape> shapes;
  for (const auto& backbone : kChoices<BackboneKind>) {
    for (const bool alone : {false, true}) {
      ModelShape shape = small_shape();
      shape.backbone = backbone.value;
      shape.alone = alone;
      shape.anchor = shape.router = !alone;
      shape.sizes = {.width = 8,
                     .heads = 2,
                     .layers = 2,
                     .feed_forward = 10,
                     .patch = 4,
                     .stride = 3,
                     .moving_average = 5,
                     .top_periods = 2,
                     .graph_channels = 3,
                     .skip_channels = 4,
                     .routers = 2};
      shapes.push_back(shape);
    }
  }
  return shapes;
}

// Those that can read columns of the past, with two of them.
inline std::vector<ModelShape> past_readers() {
  std::vector<ModelShape> shapes = every_backbone();
  std::erase_if(shapes, [](const ModelShape& shape) { return !reads_past(shape.backbone); });
  for (ModelShape& shape : shapes) shape.past = 2;
  return shapes;
}

// "dlinear_alone"
inline std::string word_of(const ModelShape& shape) {
  return std::string(choice_name(shape.backbone)) + (shape.alone ? "_alone" : "");
}

// Calendars of noise; samples take them in turn.
inline void fill_calendars(std::uint32_t stream, std::size_t samples, std::size_t distinct,
                           Calendars& out) {
  out.distinct = distinct;
  for (std::size_t i = 0; i < distinct; ++i) out.keys[i] = static_cast<std::int32_t>(i);
  for (std::size_t b = 0; b < samples; ++b) {
    out.of_sample[b] = static_cast<std::int32_t>(b % distinct);
  }
  std::uint64_t index = 0;
  for (float& value : out.features) {
    value = static_cast<float>(random::uniform({.seed = 5, .step = stream}, index++)) - 0.5f;
  }
}

// A batch of `samples` for the shape, of whose features `known` are known columns. At most
// `calendars` of its calendars are distinct.
inline Batch noise_batch(const ModelShape& shape, std::size_t samples, std::size_t known,
                         std::size_t calendars, Arena& arena) {
  Batch batch = allocate_batch({.samples = samples,
                                .channels = shape.channels,
                                .lookback = shape.lookback,
                                .horizon = shape.horizon,
                                .features = shape.features - known,
                                .known = known,
                                .past = shape.past},
                               arena);
  std::uint32_t stream = 0;
  for (const auto& values :
       {batch.history, batch.target, batch.known_history, batch.known_future, batch.past_history}) {
    std::uint64_t index = 0;
    for (float& value : values) {
      value = static_cast<float>(random::normal({.seed = 5, .step = stream}, index++));
    }
    ++stream;
  }
  const auto wrapped = [&](std::size_t step) {
    return static_cast<std::int32_t>(step % shape.period);
  };
  for (std::size_t b = 0; b < samples; ++b) {
    for (std::size_t t = 0; t < shape.lookback; ++t) {
      batch.history_phase[b * shape.lookback + t] = wrapped(b + t);
    }
    for (std::size_t t = 0; t < shape.horizon; ++t) {
      batch.future_phase[b * shape.horizon + t] = wrapped(b + shape.lookback + t);
    }
  }
  fill_calendars(10, samples, std::min(calendars, samples), batch.history_calendars);
  fill_calendars(11, samples, std::min(calendars, samples), batch.future_calendars);
  return batch;
}

}  // namespace pulsecast::model::testing
