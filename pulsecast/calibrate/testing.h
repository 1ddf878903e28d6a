// For tests: errors of a law that is known.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "pulsecast/base/random.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/quantile_head.h"

namespace pulsecast::calibrate::testing {

// Errors are normal, with the deviation that deviation(c, w, h) says. Windows look back on what
// look(c, w) says, and their phases count on from their number.
template <typename Deviation, typename Look>
ErrorSheet made_sheet(std::size_t windows, std::size_t channels, std::size_t horizon,
                      std::size_t period, std::uint64_t seed, Deviation deviation, Look look) {
  ErrorSheet sheet{windows, channels, horizon, 1, {}, {}, {}, {}, 0, {}, {}};
  std::uint64_t index = 0;
  const random::Stream stream{.seed = seed, .purpose = random::Purpose::kTest};
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t w = 0; w < windows; ++w) {
      sheet.looks.push_back(look(c, w));
      sheet.present.push_back(1);
      for (std::size_t h = 0; h < horizon; ++h) {
        sheet.errors.push_back(
            static_cast<float>(deviation(c, w, h) * random::normal(stream, index++)));
      }
    }
  }
  for (std::size_t w = 0; w < windows; ++w) {
    for (std::size_t h = 0; h < horizon; ++h) {
      sheet.phases.push_back(static_cast<std::int32_t>((w + h) % period));
    }
  }
  return sheet;
}

// The same, with what a quantile head reads: said(c, w, h) is the forecast, around cycles of 0.
template <typename Said>
ErrorSheet with_outlooks(ErrorSheet sheet, Said said) {
  sheet.recent = 2;
  sheet.cycles.assign(sheet.channels * sheet.windows * sheet.recent, 0.0f);
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      for (std::size_t h = 0; h < sheet.horizon; ++h) {
        sheet.forecasts.push_back(static_cast<float>(said(c, w, h)));
      }
    }
  }
  return sheet;
}

// A head that says something, of weights that have learnt nothing.
inline std::shared_ptr<QuantileHead> drawn_head(std::size_t channels, std::size_t horizon,
                                                std::size_t period, float size = 0.5f) {
  auto head = std::make_shared<QuantileHead>(channels, horizon, period);
  head->initialise(5);
  for (float& weight : head->parameters().weights()) weight *= 5.0f * size;
  return head;
}

// The probability that a normal number lies below x.
inline double normal_share(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace pulsecast::calibrate::testing
