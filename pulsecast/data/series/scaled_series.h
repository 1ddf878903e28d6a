// A series as the model sees it: scaled values, phases and calendar features of every row.
//
// Made once; every window is a view into it. Values are scaled in double and kept as float, a
// channel after the other, so that gathering a window is one copy a channel. Beyond the last row
// the calendar goes on for `future` rows, without values: a forecast needs to know when it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

class ScaledSeries {
 public:
  // Throws Error(kData) with row and column for a value that is too far out to compute with: a gap
  // in its place would be a repair that nobody asked for.
  ScaledSeries(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
               std::size_t future = 0);

  // Rows with values, and rows with a calendar (`future` more).
  std::size_t rows() const { return rows_; }
  // One past the last row that has a target: known channels may go on beyond it.
  std::size_t target_rows() const { return target_rows_; }
  std::size_t calendar_rows() const { return phases_.size(); }
  std::size_t targets() const { return targets_; }
  std::size_t known() const { return known_; }
  std::size_t past() const { return past_; }
  std::size_t channels() const { return targets_ + known_ + past_; }
  std::size_t features() const { return feature_count_; }

  // (calendar_rows): NaN in a gap and past the end. Channels are targets, then known, then past.
  std::span<const float> channel(std::size_t index) const {
    return {values_.data() + index * calendar_rows(), calendar_rows()};
  }
  // (calendar_rows), each in [0, W).
  std::span<const std::int32_t> phases() const { return phases_; }
  // (calendar_rows, F).
  std::span<const float> feature_rows() const { return features_; }
  // (calendar_rows): rows with the same features share a number.
  std::span<const std::int32_t> calendar_numbers() const { return calendar_numbers_; }

 private:
  void add_calendar(const Series& series, const CalendarPlan& plan);

  std::size_t rows_;
  std::size_t target_rows_;
  std::size_t targets_ = 0;
  std::size_t known_ = 0;
  std::size_t past_ = 0;
  std::size_t feature_count_;
  std::vector<float> values_;  // (channels, calendar_rows)
  std::vector<std::int32_t> phases_;
  std::vector<float> features_;
  std::vector<std::int32_t> calendar_numbers_;
};

// Throws that error, of row `row` of `channel`, which is the scaler's channel `c`.
[[noreturn]] void refuse_far_value(const Series& series, const Channel& channel, std::size_t row,
                                   const Scaler& scaler, std::size_t c);

}  // namespace pulsecast
