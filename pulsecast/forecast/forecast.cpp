#include "pulsecast/forecast/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/forecast/align.h"

namespace pulsecast {
namespace {

using Status = ChannelForecast::Status;

// The rows that a forecast reads: the look-back and no more.
struct Scope {
  std::size_t begin = 0;
  std::size_t end = 0;  // one past the last row used
};

Scope scope_of(const Series& series, std::size_t lookback, const ForecastOptions& options) {
  std::size_t end = target_rows(series);
  if (options.at) {
    if (end == 0 || series.step.add(series.stamps[end - 1], 1, series.zone) <= *options.at) {
      throw_error(ErrorKind::kData, series.source,
                  "a forecast from {} was asked for, and the last row with targets is of {}",
                  to_text(*options.at, series.zone),
                  end == 0 ? "none" : to_text(series.stamps[end - 1], series.zone));
    }
    const auto after = std::ranges::upper_bound(series.stamps, *options.at);
    end = std::min(end, static_cast<std::size_t>(after - series.stamps.begin()));
  }
  if (end < lookback) {
    throw_error(ErrorKind::kData, series.source, "a forecast needs {} of history and has only {}{}",
                counted(lookback, "row"), end,
                options.at ? fmt::format(" up to {}", to_text(*options.at, series.zone)) : "");
  }
  return {end - lookback, end};
}

// Rows [begin, end) with their known columns H rows on, every gap of a target filled with a value
// that keeps the arithmetic finite: what comes out of such a channel is not used.
Series cut(const Series& series, Scope scope, std::size_t horizon,
           const std::vector<std::size_t>& gaps, const Scaler& scaler) {
  Series part{series.source, series.zone, series.step, {}, {}};
  const std::size_t known_end = std::min(series.rows(), scope.end + horizon);
  part.stamps.assign(series.stamps.begin() + static_cast<std::ptrdiff_t>(scope.begin),
                     series.stamps.begin() + static_cast<std::ptrdiff_t>(known_end));
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const Channel& source = series.channels[c];
    Channel channel{source.name, source.role, {}};
    channel.values.assign(source.values.begin() + static_cast<std::ptrdiff_t>(scope.begin),
                          source.values.begin() + static_cast<std::ptrdiff_t>(known_end));
    if (source.role == Role::kTarget) {
      const std::size_t history = scope.end - scope.begin;
      std::fill(channel.values.begin() + static_cast<std::ptrdiff_t>(history), channel.values.end(),
                std::numeric_limits<double>::quiet_NaN());
      if (gaps[c] > 0) std::fill_n(channel.values.begin(), history, scaler.means()[c]);
    }
    part.channels.push_back(std::move(channel));
  }
  return part;
}

void require_known(const Series& series, Scope scope, std::size_t horizon) {
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kKnown) continue;
    for (std::size_t row = scope.begin; row < scope.end + horizon; ++row) {
      if (row < channel.values.size() && !std::isnan(channel.values[row])) continue;
      throw_error(
          ErrorKind::kData, series.source,
          "the known column '{}' has no value {}; it must have one in each of {} of history "
          "and {} to forecast",
          channel.name,
          row < series.rows() ? "at " + to_text(series.stamps[row], series.zone)
                              : counted(row - scope.end + 1, "step") + " after the last target",
          counted(scope.end - scope.begin, "row"), counted(horizon, "step"));
    }
  }
}

// `gaps` of the values in scope are missing, or too far out to compute with.
std::string gap_reason(const Channel& channel, Scope scope, std::size_t gaps) {
  const auto history = std::span(channel.values).subspan(scope.begin, scope.end - scope.begin);
  const bool all_missing = static_cast<std::size_t>(std::ranges::count_if(
                               history, [](double value) { return std::isnan(value); })) == gaps;
  return fmt::format("{} of the last {} {} missing{}", gaps, counted(history.size(), "value"),
                     gaps == 1 ? "is" : "are",
                     all_missing ? "" : " or too far out to compute with");
}

// The newest value a whole number of periods before each step, over gaps; else the last value.
void fill_naive(const Channel& channel, Scope scope, std::size_t period, double mean,
                const std::function<bool(double)>& is_usable, ChannelForecast& out) {
  std::size_t last = scope.end;
  while (last > 0 && !is_usable(channel.values[last - 1])) --last;
  out.status = last == 0 ? Status::kLevel : Status::kSeasonalNaive;
  for (std::size_t h = 0; h < out.values.size(); ++h) {
    out.values[h] = last == 0 ? mean : channel.values[last - 1];
    for (std::size_t back = period; back <= scope.end + h; back += period) {
      const std::size_t row = scope.end + h - back;
      if (row >= scope.end || !is_usable(channel.values[row])) continue;
      out.values[h] = channel.values[row];
      break;
    }
  }
}

}  // namespace

const char* name(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kSeasonalNaive:
      return "seasonal_naive";
    case Status::kLevel:
      return "level";
  }
  return "";
}

bool SeriesForecast::is_whole() const {
  return std::ranges::all_of(
      channels, [](const ChannelForecast& channel) { return channel.status == Status::kOk; });
}

SeriesForecast make_forecast(const Series& series, const artifact::Model& model,
                             model::Inference& inference, const ForecastOptions& options) {
  const model::ModelShape& shape = model.pulse->shape();
  const std::size_t T = shape.lookback;
  const std::size_t H = shape.horizon;
  const std::size_t C = shape.channels;
  const Scope scope = scope_of(series, T, options);
  require_known(series, scope, H);
  std::vector<std::size_t> gaps(C);
  for (std::size_t c = 0; c < C; ++c) {
    const auto history = std::span(series.channels[c].values).subspan(scope.begin, T);
    gaps[c] = static_cast<std::size_t>(std::ranges::count_if(
        history, [&](double value) { return !model.scaler.is_within_reach(c, value); }));
  }

  const Series part = cut(series, scope, H, gaps, model.scaler);
  CalendarPlan plan = calendar_for(series, model);
  plan.first_phase =
      static_cast<std::int32_t>((static_cast<std::size_t>(plan.first_phase) + scope.begin) %
                                static_cast<std::size_t>(plan.period));
  const ScaledSeries scaled(part, model.scaler, plan, H);
  const Windows window = Windows::at_end(scaled, T, H);
  Arena arena;
  Batch batch = allocate_batch(window.shape(1), arena);
  window.gather(std::array<std::uint32_t, 1>{0}, batch);
  Forecast forecast = allocate_forecast(batch.shape, arena);
  const model::Inference::Components parts{arena.allocate<float>(C * H), arena.allocate<float>(C),
                                           arena.allocate<float>(C)};
  inference.forecast(batch, forecast, parts);

  SeriesForecast result{series.zone, series.stamps[scope.end - 1], {}, {}};
  for (std::size_t h = 0; h < H; ++h) {
    result.stamps.push_back(
        series.step.add(result.cutoff, static_cast<std::int64_t>(h) + 1, series.zone));
  }
  for (std::size_t c = 0; c < C; ++c) {
    ChannelForecast channel;
    channel.channel = series.channels[c].name;
    channel.values.resize(H);
    if (gaps[c] > 0) {
      fill_naive(
          series.channels[c], scope, shape.period, model.scaler.means()[c],
          [&](double value) { return model.scaler.is_within_reach(c, value); }, channel);
      channel.reason = gap_reason(series.channels[c], scope, gaps[c]);
    } else {
      const double scale = model.scaler.scales()[c];
      channel.scale = static_cast<double>(parts.deviation[c]) * scale;
      for (std::size_t h = 0; h < H; ++h) {
        channel.values[h] = model.scaler.original(c, forecast.values[c * H + h]);
        channel.anchor.push_back(model.scaler.original(c, parts.anchor[c * H + h]));
        channel.residual.push_back(channel.values[h] - channel.anchor[h]);
      }
    }
    for (double& value : channel.values) {
      if (options.min) value = std::max(value, *options.min);
      if (options.max) value = std::min(value, *options.max);
    }
    result.channels.push_back(std::move(channel));
  }
  return result;
}

}  // namespace pulsecast
