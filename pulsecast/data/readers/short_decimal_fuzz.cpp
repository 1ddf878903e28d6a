// Any bytes as a short decimal: what is read must be what the general parser reads, bit for bit.

#include "pulsecast/data/readers/short_decimal.h"

#include <fast_float/fast_float.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace pulsecast;

void require_same(const std::vector<char>& text, char decimal) {
  const char* end = text.data() + text.size();
  const ShortDecimal number = read_short_decimal(text.data(), end, decimal);
  if (number.end == nullptr) return;
  if (number.end <= text.data() || number.end > end) std::abort();
  double value = 0;
  const auto [general_end, status] = fast_float::from_chars_advanced(
      text.data(), number.end, value,
      fast_float::parse_options{fast_float::chars_format::general, decimal});
  if (status != std::errc() || general_end != number.end) std::abort();
  if (std::bit_cast<std::uint64_t>(value) != std::bit_cast<std::uint64_t>(number.value)) {
    std::abort();
  }
  // Nothing that belongs to the number may be left, but for an exponent.
  if (number.end != end && *number.end >= '0' && *number.end <= '9') std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // In memory of its own size, so that the sanitizer sees a step past the end; and with more text
  // after it, without which a number at the end is left to the general parser.
  std::vector<char> text(data, data + size);
  for (const char decimal : {'.', ','}) require_same(text, decimal);
  text.push_back('\n');
  text.resize(text.size() + static_cast<std::size_t>(short_decimal::kWindow), '8');
  text.shrink_to_fit();
  for (const char decimal : {'.', ','}) require_same(text, decimal);
  return 0;
}
