// Keys of calendars that hold from call to call, for encodings that are kept.
//
// A calendar is the numbers of its steps (step_calendar.h). Two have the same key exactly when
// their numbers are the same: equality is checked, not presumed from a hash. There are `most` keys;
// when they are used up, begin_anew() forgets all of them, and what was kept by them must go too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace pulsecast {

class CalendarKeys {
 public:
  CalendarKeys(std::size_t steps, std::size_t most) : steps_(steps), most_(most) {}

  std::size_t most() const { return most_; }
  // Whether so many calendars, all new, still get keys.
  bool has_room(std::size_t calendars) const { return used_ + calendars <= most_; }
  void begin_anew();

  // numbers (steps). There must be room. In [0, most).
  std::int32_t key(std::span<const std::uint64_t> numbers);

 private:
  std::size_t steps_;
  std::size_t most_;
  std::size_t used_ = 0;
  std::vector<std::uint64_t> numbers_;  // (used, steps)
  std::unordered_multimap<std::uint64_t, std::int32_t> by_hash_;
};

}  // namespace pulsecast
