#include "pulsecast/report/packed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

namespace pulsecast::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSteps = 65534.0;
constexpr std::uint16_t kGap = 65535;

// Seven digits are more than the steps can tell, and look no different on any machine.
double rounded(double value) { return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr); }

template <typename Value>
Json pack(std::span<const Value> values) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Value value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, static_cast<double>(value));
    high = std::max(high, static_cast<double>(value));
  }
  if (low > high) low = high = 0.0;
  low = rounded(low);
  high = rounded(high);
  const double range = high - low;
  std::string bytes;
  bytes.reserve(2 * values.size());
  for (const Value value : values) {
    std::uint16_t step = kGap;
    if (std::isfinite(value)) {
      const double share = range > 0.0 ? (static_cast<double>(value) - low) / range : 0.0;
      step = static_cast<std::uint16_t>(std::lround(std::clamp(share, 0.0, 1.0) * kSteps));
    }
    bytes += static_cast<char>(step & 0xff);
    bytes += static_cast<char>(step >> 8);
  }
  return {{"lo", low}, {"hi", high}, {"q", to_base64(bytes)}};
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kLetters[word >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

Json packed(std::span<const double> values) { return pack(values); }
Json packed(std::span<const float> values) { return pack(values); }

Json packed_stamps(std::span<const Instant> stamps) {
  Json list = Json::array();
  if (stamps.empty()) return list;
  const auto seconds = [&](std::size_t i) {
    return static_cast<double>(stamps[i].milliseconds) / 1000.0;
  };
  list.push_back(seconds(0));
  double distance = 0.0;
  std::size_t count = 0;
  const auto flush = [&] {
    if (count == 0) return;
    list.push_back(distance);
    list.push_back(count);
  };
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const double next = seconds(i) - seconds(i - 1);
    if (count > 0 && next == distance) {
      ++count;
      continue;
    }
    flush();
    distance = next;
    count = 1;
  }
  flush();
  return list;
}

}  // namespace pulsecast::report
