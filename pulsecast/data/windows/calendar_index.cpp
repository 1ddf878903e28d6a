#include "pulsecast/data/windows/calendar_index.h"

#include <algorithm>
#include <unordered_map>

namespace pulsecast {
namespace {

// A polynomial in an odd base modulo 2^64; mixing the numbers first keeps small ones apart.
constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;

std::uint64_t mixed(std::int32_t number) {
  std::uint64_t x = static_cast<std::uint64_t>(number) + kBase;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

}  // namespace

CalendarIndex::CalendarIndex(std::span<const std::int32_t> calendar_numbers, std::size_t length)
    : length_(length) {
  if (calendar_numbers.size() < length || length == 0) return;
  std::uint64_t leaving_weight = 1;  // kBase^(length-1)
  for (std::size_t i = 1; i < length; ++i) leaving_weight *= kBase;

  const std::size_t stretches = calendar_numbers.size() - length + 1;
  keys_.resize(stretches);
  std::unordered_multimap<std::uint64_t, std::int32_t> seen;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i + 1 < length; ++i) hash = hash * kBase + mixed(calendar_numbers[i]);
  for (std::size_t row = 0; row < stretches; ++row) {
    hash = hash * kBase + mixed(calendar_numbers[row + length - 1]);
    const auto [from, to] = seen.equal_range(hash);
    const auto same = std::find_if(from, to, [&](const auto& entry) {
      const std::size_t other = first_row(entry.second);
      return std::ranges::equal(calendar_numbers.subspan(row, length),
                                calendar_numbers.subspan(other, length));
    });
    if (same != to) {
      keys_[row] = same->second;
    } else {
      keys_[row] = static_cast<std::int32_t>(first_rows_.size());
      seen.emplace(hash, keys_[row]);
      first_rows_.push_back(row);
    }
    hash -= leaving_weight * mixed(calendar_numbers[row]);
  }
}

}  // namespace pulsecast
