// What is forecast of a series: the next H steps of every channel, in its own units.
//
// A channel whose history has a gap, or a value too far out to compute with, cannot be forecast by
// the model. It gets a seasonal naive value and a status that says so, and the others proceed: one
// dead sensor must not cost the night's run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"

namespace pulsecast {

// What is to hold `level` percent of what comes, calibrated on forecasts that the model's training
// did not see.
struct ForecastRange {
  double level = 0.0;
  std::vector<double> low;   // (H)
  std::vector<double> high;  // (H)
};

struct ForecastQuantile {
  double probability = 0.0;
  std::vector<double> values;  // (H)
};

struct ChannelForecast {
  enum class Status {
    kOk,
    kSeasonalNaive,  // the value one period earlier, because of a gap, or a value that is as good
                     // as one
    kLevel,          // the training mean, because there is no value at all
    // Of a panel. The first three are the model's forecasts, by what all series share.
    kNewSeries,     // the model has not seen it in training
    kShortHistory,  // it has fewer rows than the look-back; padded, as such rows were in training
    kNewGroup,      // a static column says of it what it said of no series in training
    kEnded,         // its last row is more than a horizon before the newest: not forecast
  };
  std::string channel;
  Status status = Status::kOk;
  std::string reason;          // of a status other than kOk
  std::vector<double> values;  // (H)

  // What the values are the sum of, where the model made them; else empty.
  std::vector<double> anchor;    // (H) the deterministic part, with the channel's level
  std::vector<double> residual;  // (H) what the model adds to it
  double scale = 0.0;            // standard deviation of the residual's history

  // A value is level + unit * x, where the model computed x in float32; a unit of 0: the values are
  // of rows, or of a bound, and exact.
  double level = 0.0;
  double unit = 0.0;
  // Of a panel, where each series is forecast from its own last row; else none.
  std::optional<Instant> cutoff = {};
  std::vector<Instant> stamps = {};  // (H)
  // (H) what known and static columns add to anchor and residual; empty where the model has no
  // effects and profiles.
  std::vector<double> effect = {};
  // As asked for, where the model made the values; else empty.
  std::vector<ForecastRange> ranges = {};
  std::vector<ForecastQuantile> quantiles = {};
};

// "ok", "seasonal_naive", "level", "new_series", "short_history",
// "new_group", "ended".
const char* name(ChannelForecast::Status status);

struct SeriesForecast {
  Zone zone;
  Instant cutoff;               // stamp of the last row that was used; of a panel the newest
  std::vector<Instant> stamps;  // (H) after it
  std::vector<ChannelForecast> channels;
  // That were asked for, and past forecasts whose misses corrected them: those from rows newer than
  // what the model was calibrated on.
  std::vector<double> levels = {};
  std::vector<double> quantiles = {};
  std::size_t corrected_by = 0;

  bool is_whole() const;  // every channel is kOk
};

struct ForecastOptions {
  std::optional<Instant> at = {};  // rows after this are not read; unset: all rows are
  std::optional<double> min = {};  // bounds that values are held to
  std::optional<double> max = {};
  std::vector<double> levels = {};     // of ranges, in percent: 80, 95
  std::vector<double> quantiles = {};  // probabilities: 0.1, 0.5, 0.9
  bool include_ended = false;          // also series whose rows ended more than a horizon ago
};

// Values, ranges and quantiles to the bounds that were asked for.
void hold(ChannelForecast& channel, const ForecastOptions& options);

}  // namespace pulsecast
