#include "pulsecast/forecast/panel_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/effects/effect_rows.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/forecast_ranges.h"
#include "pulsecast/metrics/naive.h"

namespace pulsecast {
namespace {

using Status = ChannelForecast::Status;

constexpr std::size_t kAtOnce = 2048;  // windows of a batch

// The rows that forecasts read: of each channel the newest look-back before `end`, and what is
// known after it.
Series newest_rows(const Series& series, std::size_t lookback, std::size_t end) {
  Series newest{series.source, series.zone, series.step, series.stamps, {}, series.statics};
  newest.channels.reserve(series.channels.size());
  for (const Channel& channel : series.channels) {
    Channel own{channel.name, channel.role, {}, channel.begin, channel.series};
    RowRange rows = rows_with_values(channel);
    if (channel.role == Role::kTarget) rows.end = std::min(rows.end, end);
    rows.begin = std::min(rows.begin, rows.end);
    if (channel.role == Role::kTarget && rows.size() > lookback) rows.begin = rows.end - lookback;
    own.begin = rows.begin;
    const auto first =
        channel.values.begin() + static_cast<std::ptrdiff_t>(rows.begin - channel.begin);
    own.values.assign(first, first + static_cast<std::ptrdiff_t>(rows.size()));
    newest.channels.push_back(std::move(own));
  }
  return newest;
}

class PanelForecast {
 public:
  PanelForecast(const Series& series, const artifact::Model& model, const ForecastOptions& options)
      : model_(model),
        options_(options),
        ranges_(ranges_for(model, options)),
        size_{model.shape().lookback, model.shape().horizon, model.shape().period},
        series_(newest_rows(series, size_.lookback, end_of(series, options))),
        scaler_(scaler_for(series_, model, is_new_)),
        scaled_(ScaledSeries::panel(series_, scaler_, calendar_for(series_, model), size_.lookback,
                                    size_.horizon, model.known_use())),
        known_(series_),
        windows_(scaled_, size_, SeriesWindows::at_ends(scaled_)) {
    if (windows_.size() == 0) {
      throw_error(ErrorKind::kData, series_.source, "no series has a value to forecast from");
    }
    newest_ = target_rows(series_);
  }

  SeriesForecast make(model::Inference& inference, ThreadPool& pool, const Watch& watch) {
    SeriesForecast result{series_.zone, series_.stamps[newest_ - 1], following(newest_), {}};
    result.levels = options_.levels;
    result.quantiles = options_.quantiles;
    result.channels.resize(scaled_.targets());
    for (std::size_t c = 0; c < scaled_.targets(); ++c) begin(c, result.channels[c]);
    const std::vector<std::uint32_t> asked = windows_to_forecast(result);
    const std::size_t batch = std::min(kAtOnce, std::max<std::size_t>(1, asked.size()));
    Batcher batcher(windows_, batch, pool);
    Arena arena;
    const BatchShape shape = windows_.shape(batch);
    Forecast forecast = allocate_forecast(shape, arena);
    const model::Inference::Parts parts{arena.allocate<float>(batch * shape.horizon),
                                        arena.allocate<float>(batch), arena.allocate<float>(batch)};
    const model::Inference::Keeping keeping(inference, windows_.distinct_history_calendars(),
                                            windows_.distinct_future_calendars());
    for (std::size_t done = 0; done < asked.size();) {
      const auto some = std::span(asked).subspan(done, std::min(batch, asked.size() - done));
      const Batch& gathered = batcher.gather(some);
      forecast.samples = some.size();
      inference.forecast(gathered, forecast, parts);
      pool.run(some.size(), [&](std::size_t i, std::size_t) {
        const WindowPlace place = windows_.panel()->place(some[i]);
        finish(place, gathered, i, forecast, parts, result.channels[place.target]);
      });
      done += some.size();
      watch.advance("forecasting", done, asked.size());
    }
    return result;
  }

 private:
  // Rows from here on are not read.
  static std::size_t end_of(const Series& series, const ForecastOptions& options) {
    if (!options.at) return series.rows();
    const auto after = std::ranges::upper_bound(series.stamps, *options.at);
    return static_cast<std::size_t>(after - series.stamps.begin());
  }

  // The stamps of the H rows from `row` on.
  std::vector<Instant> following(std::size_t row) const {
    std::vector<Instant> stamps;
    for (std::size_t h = 0; h < size_.horizon; ++h) {
      stamps.push_back(series_.step.add(series_.stamps[row - 1], static_cast<std::int64_t>(h) + 1,
                                        series_.zone));
    }
    return stamps;
  }

  // What is said of a series before the model is asked: name, cutoff, and that it ended or has no
  // value at all.
  void begin(std::size_t c, ChannelForecast& out) const {
    const Channel& channel = series_.channels[c];
    out.channel = channel.name;
    const std::size_t end = rows_with_values(channel).end;
    if (channel.values.empty() || end == 0) {
      out.status = Status::kEnded;
      out.reason = "there is no value";
      return;
    }
    out.cutoff = series_.stamps[end - 1];
    if (options_.include_ended || end + size_.horizon >= newest_) {
      out.stamps = following(end);
      return;
    }
    out.status = Status::kEnded;
    out.reason =
        fmt::format("its last row is {} before the newest of all", counted(newest_ - end, "step"));
  }

  std::vector<std::uint32_t> windows_to_forecast(SeriesForecast& result) const {
    std::vector<std::uint32_t> asked;
    for (std::uint32_t window = 0; window < windows_.size(); ++window) {
      const WindowPlace place = windows_.panel()->place(window);
      ChannelForecast& out = result.channels[place.target];
      if (out.status == Status::kEnded) continue;
      if (!naive_instead(place, out)) asked.push_back(window);
    }
    return asked;
  }

  // A gap that leaves too little to see: the value one period earlier, as for any channel.
  bool naive_instead(const WindowPlace& place, ChannelForecast& out) const {
    const Channel& channel = series_.channels[place.target];
    const std::size_t there = place.origin - place.from;
    const bool is_beginning =
        place.from == scaled_.lead() + channel.begin && channel.values.size() < size_.lookback;
    const bool lacks_known = model_.reads_known() && !has_known_future(place);
    if (!lacks_known && (is_beginning || there >= enough_history(size_))) return false;
    out.values.resize(size_.horizon);
    seasonal_naive_forecast<double>(channel.values, size_.period, out.values);
    out.status = Status::kSeasonalNaive;
    out.reason = lacks_known ? "its known columns do not go on for the steps to forecast"
                             : fmt::format("a gap leaves {} of history", counted(there, "row"));
    hold(out, options_);
    return true;
  }

  bool has_known_future(const WindowPlace& place) const {
    for (std::size_t k = 0; k < scaled_.known_of_each(); ++k) {
      const Channel& known = series_.channels[scaled_.first_known_of(place.target) + k];
      for (std::size_t h = 0; h < size_.horizon; ++h) {
        if (std::isnan(known.at(place.origin - scaled_.lead() + h))) return false;
      }
    }
    return true;
  }

  void finish(const WindowPlace& place, const Batch& gathered, std::size_t sample,
              const Forecast& forecast, const model::Inference::Parts& parts,
              ChannelForecast& out) const {
    const std::size_t c = place.target;
    const std::size_t H = size_.horizon;
    const std::size_t there = place.origin - place.from;
    if (is_new_[c]) {
      out.status = Status::kNewSeries;
      out.reason = "the model was trained without it";
    }
    if (there < size_.lookback) {
      const bool is_new = is_new_[c];
      out.status = Status::kShortHistory;
      out.reason = fmt::format("{} of history{}, of {} that the model sees", counted(there, "row"),
                               is_new ? " of a new series" : "", size_.lookback);
    }
    out.scale = static_cast<double>(parts.deviation[sample]) * scaler_.scales()[c];
    out.level = scaler_.means()[c];
    out.unit = scaler_.scales()[c];
    out.values.resize(H);
    out.anchor.resize(H);
    out.residual.resize(H);
    for (std::size_t h = 0; h < H; ++h) {
      out.values[h] = scaler_.original(c, forecast.values[sample * H + h]);
      out.anchor[h] = scaler_.original(c, parts.anchor[sample * H + h]);
      out.residual[h] = out.values[h] - out.anchor[h];
    }
    if (model_.known_use().takes_off()) out.effect.assign(H, 0.0);
    if (model_.effects) add_effects(place, out);
    if (model_.profiles) add_profile(place, out);
    for (std::size_t h = 0; h < out.effect.size(); ++h) out.values[h] += out.effect[h];
    if (ranges_) {
      calibrate::WindowRanges made = ranges_->ranges();
      ranges_->add(c, calibrate::outlook(gathered, forecast, sample, 0, ranges_->recent_steps()),
                   scaler_.scales()[c], made, out);
    }
    hold(out, options_);
  }

  void add_profile(const WindowPlace& place, ChannelForecast& out) const {
    const std::uint32_t number = series_.channels[place.target].series;
    const std::vector<double> profile = model_.profiles->of_series(series_, number);
    for (std::size_t h = 0; h < size_.horizon; ++h) {
      const auto phase = static_cast<std::size_t>(scaled_.profile_phases()[place.origin + h]);
      out.effect[h] += profile[phase] * scaler_.scales()[place.target];
    }
    const std::string unknown = model_.profiles->unknown_of(series_, number);
    if (unknown.empty()) return;
    const std::string reason = fmt::format("no series of training has its {}", unknown);
    if (out.status == Status::kOk) {
      out.status = Status::kNewGroup;
      out.reason = reason;
    } else {
      out.reason += "; " + reason;
    }
  }

  void add_effects(const WindowPlace& place, ChannelForecast& out) const {
    const Effects& effects = *model_.effects;
    const Channel& target = series_.channels[place.target];
    const std::size_t first = place.origin - scaled_.lead();
    EffectRows rows(effects.design());
    rows.read(series_, known_.of(target), {first, first + size_.horizon});
    for (std::size_t h = 0; h < size_.horizon; ++h) {
      const double effect = effects.of(place.target, rows.group(first + h), rows.terms(first + h));
      out.effect[h] += effect * scaler_.scales()[place.target];
    }
  }

  const artifact::Model& model_;
  const ForecastOptions& options_;
  std::unique_ptr<ForecastRanges> ranges_;
  WindowSize size_;
  Series series_;
  std::vector<bool> is_new_;
  Scaler scaler_;
  ScaledSeries scaled_;
  KnownColumns known_;
  Windows windows_;
  std::size_t newest_ = 0;  // one past the newest row of all
};

}  // namespace

Scaler scaler_for(const Series& series, const artifact::Model& model, std::vector<bool>& is_new) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t c = 0; c < model.channels.size(); ++c) known[model.channels[c].name] = c;
  const Scaler own = Scaler::fit_each(series, {}, model.shape().period);
  std::vector<double> means = own.means();
  std::vector<double> scales = own.scales();
  is_new.assign(series.channels.size(), true);
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const Channel& channel = series.channels[c];
    const auto found = known.find(channel.name);
    if (found == known.end()) continue;
    is_new[c] = false;
    // A value too far out for the scale of training is near by its own.
    const bool is_far = std::ranges::any_of(channel.values, [&](double value) {
      return !std::isnan(value) && !model.scaler.is_within_reach(found->second, value);
    });
    if (is_far) continue;
    means[c] = model.scaler.means()[found->second];
    scales[c] = model.scaler.scales()[found->second];
  }
  return {std::move(means), std::move(scales)};
}

SeriesForecast forecast_panel(const Series& series, const artifact::Model& model,
                              const ForecastOptions& options, model::Inference& inference,
                              ThreadPool& pool, const Watch& watch) {
  require_same_time(series, model);
  return PanelForecast(series, model, options).make(inference, pool, watch);
}

}  // namespace pulsecast
