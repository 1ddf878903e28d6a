#include "pulsecast/calendar/packed_stamps.h"

namespace pulsecast {
namespace {

// From the highest bits: form 3, has_offset 1, is_cut 1, digits 6, offset 16, year 14, first 8,
// second 8. What changes from row to row is lowest, so that rows lie near a line.
constexpr int kSecondBits = 8;
constexpr int kFirstBits = 8;
constexpr int kYearBits = 14;
constexpr int kOffsetBits = 16;
constexpr int kDigitBits = 6;
constexpr int kFlagBits = 1;
constexpr int kFormBits = 3;

class Bits {
 public:
  explicit Bits(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t take(int count) {
    const std::uint64_t low = bits_ & ((std::uint64_t{1} << count) - 1);
    bits_ >>= count;
    return low;
  }

 private:
  std::uint64_t bits_;
};

}  // namespace

void PackedStamps::push_back(const Stamp& stamp) {
  std::uint64_t bits = static_cast<std::uint64_t>(stamp.form);
  const auto add = [&](std::uint64_t value, int count) { bits = bits << count | value; };
  add(stamp.has_offset ? 1 : 0, kFlagBits);
  add(stamp.is_cut ? 1 : 0, kFlagBits);
  add(stamp.digits, kDigitBits);
  add(static_cast<std::uint16_t>(stamp.offset), kOffsetBits);
  add(static_cast<std::uint64_t>(stamp.year), kYearBits);
  add(stamp.first, kFirstBits);
  add(stamp.second, kSecondBits);
  dates_.push_back(static_cast<std::int64_t>(bits));
  times_.push_back(stamp.thousandths);
}

Stamp PackedStamps::operator[](std::size_t row) const {
  Bits bits(static_cast<std::uint64_t>(dates_[row]));
  Stamp stamp;
  stamp.second = static_cast<std::uint8_t>(bits.take(kSecondBits));
  stamp.first = static_cast<std::uint8_t>(bits.take(kFirstBits));
  stamp.year = static_cast<std::int32_t>(bits.take(kYearBits));
  stamp.offset = static_cast<std::int16_t>(bits.take(kOffsetBits));
  stamp.digits = static_cast<std::uint8_t>(bits.take(kDigitBits));
  stamp.is_cut = bits.take(kFlagBits) != 0;
  stamp.has_offset = bits.take(kFlagBits) != 0;
  stamp.form = static_cast<Stamp::Form>(bits.take(kFormBits));
  stamp.thousandths = times_[row];
  return stamp;
}

}  // namespace pulsecast
