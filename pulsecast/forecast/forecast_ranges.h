// Ranges around the forecasts of one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/calibrate/online_correction.h"
#include "pulsecast/calibrate/range_request.h"
#include "pulsecast/calibrate/window_ranges.h"
#include "pulsecast/forecast/channel_forecast.h"

namespace pulsecast {

class ForecastRanges {
 public:
  // `model` outlives it. Throws Error(kUsage) for ranges that cannot be or that the model has none
  // of, Error(kData) where it has too few scores for them.
  ForecastRanges(const artifact::Model& model, const ForecastOptions& options);

  const calibrate::RangeRequest& request() const { return request_; }
  std::size_t recent_steps() const { return recent_steps_; }

  // Around out.values, which are as the model made them: `unit` is how large 1 is on scaled data.
  // By ranges of the caller's, made with ranges(): one for each thread.
  void add(std::size_t channel, const calibrate::Outlook& window, double unit,
           calibrate::WindowRanges& ranges, ChannelForecast& out) const;
  calibrate::WindowRanges ranges() const;

  // Where past forecasts correct the ranges: those from rows before `next` have been replayed.
  struct Replay {
    calibrate::OnlineCorrection correction;
    std::size_t first;
    std::size_t next;
  };
  std::optional<Replay> replay = {};

 private:
  const artifact::Model& model_;
  calibrate::RangeRequest request_;
  std::size_t recent_steps_;
};

// Null where none are asked for.
std::unique_ptr<ForecastRanges> ranges_for(const artifact::Model& model,
                                           const ForecastOptions& options);

}  // namespace pulsecast
