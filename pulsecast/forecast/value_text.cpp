#include "pulsecast/forecast/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

namespace pulsecast {
namespace {

float on_scale(const ChannelForecast& channel, double value) {
  return static_cast<float>((value - channel.level) / channel.unit);
}

// Digits before which no text can tell the value from its neighbours: a float has 24 bits. Those
// before the point are written out.
int fewest_digits(const ChannelForecast& channel, double value) {
  const double spacing =
      std::abs(static_cast<double>(on_scale(channel, value))) * channel.unit * 0x1p-23;
  if (value == 0.0) return 1;
  const double size = std::abs(value);
  const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;
  const int told_apart =
      spacing > 0.0 ? static_cast<int>(std::floor(std::log10(size / spacing))) : 1;
  return std::clamp(std::max(whole, told_apart), 1, 17);
}

}  // namespace

void append_value(std::string& text, const ChannelForecast& channel, double value) {
  auto out = std::back_inserter(text);
  if (channel.unit > 0.0 && std::isfinite(value)) {
    const std::size_t begin = text.size();
    for (int digits = fewest_digits(channel, value); digits < 17; ++digits) {
      fmt::format_to(out, "{:.{}g}", value, digits);
      double read = 0.0;
      std::from_chars(text.data() + begin, text.data() + text.size(), read);
      if (on_scale(channel, read) == on_scale(channel, value)) return;
      text.resize(begin);
    }
  }
  fmt::format_to(out, "{}", value);
}

}  // namespace pulsecast
