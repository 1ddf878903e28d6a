// A series as the model sees it: scaled values, phases and calendar features of every row.
//
// Made once; every window is a view into it. Values are scaled in double and kept as float, a
// channel after the other, so that gathering a window is one copy a channel. Beyond the last row
// the calendar goes on for `future` rows, without values: a forecast needs to know when it is.
//
// Of a panel each channel is kept over its own rows alone, and the calendar begins `lead` rows
// before the first, for windows of series that are shorter than a look-back. Rows are counted from
// the first of the calendar.
//
// Where known columns have effects (effects.h) or static ones profiles (static_profiles.h), what a
// model sees of a target is what they leave of it; the target itself stays as it is, for whoever
// compares with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/series/known_use.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast {

class ScaledSeries {
 public:
  // Throws Error(kData) with row and column for a value that is too far out to compute with: a gap
  // in its place would be a repair that nobody asked for.
  ScaledSeries(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
               std::size_t future = 0, const KnownUse& known = {});

  // A panel: channels over their own rows. Every target must have as many known channels of its
  // series as every other; throws Error(kData) where one has not.
  static ScaledSeries panel(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
                            std::size_t lead, std::size_t future = 0, const KnownUse& known = {});

  // Rows with values, and rows with a calendar (`lead` before them and `future` after).
  std::size_t rows() const { return rows_; }
  std::size_t lead() const { return lead_; }
  // One past the last row that has a target: known channels may go on beyond it.
  std::size_t target_rows() const { return target_rows_; }
  std::size_t calendar_rows() const { return phases_.size(); }
  std::size_t targets() const { return targets_; }
  std::size_t known() const { return known_; }
  std::size_t past() const { return past_; }
  std::size_t channels() const { return targets_ + known_ + past_; }
  // Of a panel: how many known channels each series has, and which is the first of a target's.
  std::size_t known_of_each() const { return known_of_each_; }
  std::size_t first_known_of(std::size_t target) const { return first_known_[target]; }
  bool known_are_inputs() const { return known_are_inputs_; }
  std::size_t features() const { return feature_count_; }

  // NaN in a gap and past the end. Channels are targets, then known, then past. All have
  // calendar_rows() values, from row 0 on; of a panel each its own, from first_row() on.
  std::span<const float> channel(std::size_t index) const {
    return std::span(values_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }
  std::size_t first_row(std::size_t index) const { return first_rows_[index]; }
  // The same as a model sees it: of a target, without what is taken off it.
  std::span<const float> seen(std::size_t index) const {
    if (index >= targets_ || net_.empty()) return channel(index);
    return std::span(net_).subspan(offsets_[index], offsets_[index + 1] - offsets_[index]);
  }
  // What was taken off a target in a row in which it has a value.
  float effect(std::size_t target, std::size_t row) const {
    const std::size_t at = row - first_rows_[target];
    return net_.empty() ? 0.0f : channel(target)[at] - seen(target)[at];
  }
  // (calendar_rows), each in [0, W).
  std::span<const std::int32_t> phases() const { return phases_; }
  // (calendar_rows) of the period of profiles, where they are taken off.
  std::span<const std::int32_t> profile_phases() const { return profile_phases_; }
  // (calendar_rows, F).
  std::span<const float> feature_rows() const { return features_; }
  // (calendar_rows): rows with the same features share a number.
  std::span<const std::int32_t> calendar_numbers() const { return calendar_numbers_; }

 private:
  ScaledSeries(const Series& series, const CalendarPlan& plan, std::size_t lead,
               std::size_t future);
  void add_values(const Series& series, const Scaler& scaler, std::size_t c, float* out) const;
  void add_calendar(const Series& series, const CalendarPlan& plan);
  void match_known(const Series& series);
  void take_off(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
                const KnownUse& known);
  void take_off_effects(const Series& series, const Scaler& scaler, const Effects& effects);
  void take_off_profiles(const Series& series, const CalendarPlan& plan,
                         const StaticProfiles& profiles);

  std::size_t rows_;
  std::size_t lead_;
  std::size_t target_rows_;
  std::size_t targets_ = 0;
  std::size_t known_ = 0;
  std::size_t past_ = 0;
  std::size_t feature_count_;
  std::size_t known_of_each_ = 0;
  std::vector<std::size_t> first_known_;  // (targets) of a panel
  bool known_are_inputs_ = true;
  std::vector<float> values_;            // one channel after the other
  std::vector<float> net_;               // of the targets, where something is taken off
  std::vector<std::size_t> offsets_;     // (channels + 1) of each channel's values
  std::vector<std::size_t> first_rows_;  // (channels)
  std::vector<std::int32_t> phases_;
  std::vector<std::int32_t> profile_phases_;
  std::vector<float> features_;
  std::vector<std::int32_t> calendar_numbers_;
};

// Throws that error, of row `row` of `channel`, which is the scaler's channel `c`.
[[noreturn]] void refuse_far_value(const Series& series, const Channel& channel, std::size_t row,
                                   const Scaler& scaler, std::size_t c);

}  // namespace pulsecast
