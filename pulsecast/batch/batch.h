// What the model reads and what it answers: the types that data, model and evaluation share.
//
// A Batch is a set of views. Whoever gathers one brings the memory (allocate_batch takes it from
// an arena), so that training refills the same memory step after step.
//
// Values are scaled, and time runs innermost: (sample, channel, time), because most of what the
// model does treats every channel of every sample as a row of its own.
//
// Calendars are kept apart from samples. The time encoders see nothing but the calendar, and many
// windows share one: with hour-of-day alone there are only 24. So a batch lists its distinct
// calendars once and says which one each sample has, and encodings are computed once for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "pulsecast/base/arena.h"

namespace pulsecast {

struct BatchShape {
  std::size_t samples = 0;   // B
  std::size_t channels = 0;  // C, the targets
  std::size_t lookback = 0;  // T
  std::size_t horizon = 0;   // H
  std::size_t features = 0;  // F, calendar features per step
  std::size_t known = 0;     // K, channels known in advance
  std::size_t past = 0;      // channels seen up to now only
  // Of some samples targets are missing: Batch::present says which.
  bool may_lack_channels = false;

  friend bool operator==(const BatchShape&, const BatchShape&) = default;
};

// The distinct calendars of a batch's histories (S = T) or of its futures (S = H).
struct Calendars {
  std::size_t distinct = 0;           // how many of the below are in use, at most B
  std::span<std::int32_t> of_sample;  // (B) which of them a sample has
  // (distinct) a key that two calendars of one series share exactly when their features are the
  // same at every step, ascending: for caches that outlive a batch.
  std::span<std::int32_t> keys;
  std::span<float> features;  // (distinct, S, F)
};

struct Batch {
  BatchShape shape;
  std::span<float> history;        // (B, C, T)
  std::span<float> target;         // (B, C, H)
  std::span<float> known_history;  // (B, K, T)
  std::span<float> known_future;   // (B, K, H)
  std::span<float> past_history;   // (B, past, T)
  // (B, C): 0 for a target that is missing, whose history and target are 0 and are not to be learnt
  // from or scored. Empty where all are there.
  std::span<std::uint8_t> present;
  // Phase of each step, in [0, W); the first of the future is the p of the phase anchor.
  std::span<std::int32_t> history_phase;  // (B, T)
  std::span<std::int32_t> future_phase;   // (B, H)
  Calendars history_calendars;
  Calendars future_calendars;
};

// Memory for a batch of that shape, uninitialised.
Batch allocate_batch(const BatchShape& shape, Arena& arena);

// Turns of_sample, which holds the key of each sample's calendar, into places among the distinct
// keys, which it lists.
void list_distinct(Calendars& calendars, std::size_t samples);

// The values and phases of samples [first, first + count), to be gathered into: many threads may
// each fill a part of one batch. It has no calendars.
Batch part_of(const Batch& batch, std::size_t first, std::size_t count);

// What the model says of a batch's future, scaled as the batch was.
struct Forecast {
  std::size_t samples = 0;
  std::size_t channels = 0;
  std::size_t horizon = 0;
  std::span<float> values;  // (B, C, H)
};

Forecast allocate_forecast(const BatchShape& shape, Arena& arena);

}  // namespace pulsecast
