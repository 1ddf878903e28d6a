// What `pulsecast data make` makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pulsecast {

// Sizes are in units of a channel's own level, so that channels of any scale look alike.
struct SyntheticSettings {
  std::int64_t rows = 10000;
  std::int64_t channels = 7;
  std::string start = "2024-01-01 00:00";
  std::string step = "1h";
  std::string time_zone = "UTC";
  std::int64_t seed = 2024;
  std::int64_t decimals = 3;
  bool is_long = false;
  std::optional<std::int64_t> shortest = {};

  double daily = 0.4;
  double weekly = 0.2;
  double trend = 0.2;
  double phase_drift = 0.0;
  std::int64_t regimes = 0;
  double noise = 0.05;
  double noise_swing = 0.0;

  double price = 0.0;
  double holiday = 0.0;
  std::int64_t ahead = 0;

  std::int64_t regions = 0;
  std::int64_t kinds = 0;

  double missing = 0.0;
  double duplicates = 0.0;
};

}  // namespace pulsecast
