#include "pulsecast/forecast/calendar_keys.h"

#include <algorithm>
#include <cassert>

namespace pulsecast {

void CalendarKeys::begin_anew() {
  used_ = 0;
  numbers_.clear();
  by_hash_.clear();
}

std::int32_t CalendarKeys::key(std::span<const std::uint64_t> numbers) {
  assert(numbers.size() == steps_);
  std::uint64_t hash = 0;
  for (const std::uint64_t number : numbers) {
    hash = (hash ^ number) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  const auto [from, to] = by_hash_.equal_range(hash);
  for (auto entry = from; entry != to; ++entry) {
    const auto own = numbers_.begin() +
                     static_cast<std::ptrdiff_t>(static_cast<std::size_t>(entry->second) * steps_);
    if (std::equal(numbers.begin(), numbers.end(), own)) return entry->second;
  }
  assert(has_room(1));
  const auto key = static_cast<std::int32_t>(used_++);
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  by_hash_.emplace(hash, key);
  return key;
}

}  // namespace pulsecast
