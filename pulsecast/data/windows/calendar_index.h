// Which stretches of rows have the same calendar.
//
// The calendar of a stretch of S rows is the features of each of its rows. This index gives every
// stretch a key, and two stretches the same key exactly when their calendars are the same: the
// equality is checked, not presumed from a hash. With hour-of-day on a regular grid there are 24
// keys; rows taken as they come (a gap, a repeated stamp) only add a few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pulsecast {

class CalendarIndex {
 public:
  // `calendar_numbers`: one per row, equal where the features are (ScaledSeries). `length` is S.
  CalendarIndex(std::span<const std::int32_t> calendar_numbers, std::size_t length);

  // Of the stretch that begins at `row`; there are rows - S + 1 of them.
  std::int32_t key(std::size_t row) const { return keys_[row]; }
  // The first row of the first stretch with this key.
  std::size_t first_row(std::int32_t key) const {
    return first_rows_[static_cast<std::size_t>(key)];
  }
  std::size_t distinct() const { return first_rows_.size(); }
  std::size_t length() const { return length_; }

 private:
  std::size_t length_;
  std::vector<std::int32_t> keys_;
  std::vector<std::size_t> first_rows_;
};

}  // namespace pulsecast
