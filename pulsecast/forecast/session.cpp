#include "pulsecast/forecast/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/effects/effect_rows.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/forecast/panel_forecast.h"
#include "pulsecast/metrics/naive.h"

namespace pulsecast {
namespace {

using Status = ChannelForecast::Status;

constexpr std::size_t kMostAtOnce = 64;           // windows of a batch
constexpr std::size_t kMostKeys = 2048;           // calendars whose encodings are kept
constexpr std::size_t kMostKeptFloats = 4 << 20;  // of one side

// With a few channels all of a year's hours, with many at least those of a batch.
std::size_t keys_for(std::size_t channels, std::size_t steps) {
  return std::clamp<std::size_t>(kMostKeptFloats / (channels * steps), 1, kMostKeys);
}

// That join the features of a window.
std::size_t known_inputs_of(const artifact::Model& model) {
  if (!model.known_are_inputs()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count(model.channels, Role::kKnown, &artifact::ChannelInfo::role));
}

// `gaps` of the values in the history are missing, or too far out to compute with.
std::string gap_reason(const Channel& channel, RowRange rows, std::size_t gaps) {
  std::size_t missing = 0;
  for (std::size_t row = rows.begin; row < rows.end; ++row) missing += std::isnan(channel.at(row));
  const bool all_missing = missing == gaps;
  return fmt::format("{} of the last {} {} missing{}", gaps, counted(rows.size(), "value"),
                     gaps == 1 ? "is" : "are",
                     all_missing ? "" : " or too far out to compute with");
}

}  // namespace

ForecastSession::ForecastSession(const artifact::Model& model, ThreadPool& pool)
    : model_(model),
      shape_(model.shape()),
      pool_(pool),
      inference_(model.ensemble, pool),
      at_once_(kMostAtOnce),
      calendar_(model.calendar.features, model.step, model.zone, model.calendar.period),
      history_{shape_.lookback, {shape_.lookback, keys_for(shape_.channels, shape_.lookback)}, {}},
      future_{shape_.horizon, {shape_.horizon, keys_for(shape_.channels, shape_.horizon)}, {}} {
  at_once_ = std::min({kMostAtOnce, history_.keys.most(), future_.keys.most()});
  if (!model.is_panel()) {
    keeping_.emplace(inference_, history_.keys.most(), future_.keys.most());
  }
}

SeriesForecast ForecastSession::forecast(const Series& series, const ForecastOptions& options) {
  if (model_.is_panel()) return forecast_panel(series, model_, options, inference_, pool_);
  const AlignedSeries rows(series, model_);
  const RowRange history = rows_for(rows, options.at);
  std::vector<SeriesForecast> out;
  const std::unique_ptr<ForecastRanges> ranges = ranges_for(model_, options);
  forecast_batch(rows, {&history, 1}, options, ranges.get(), out);
  return std::move(out.front());
}

std::vector<SeriesForecast> ForecastSession::forecast(const Series& series,
                                                      std::span<const Instant> origins,
                                                      const ForecastOptions& options,
                                                      const Watch& watch) {
  if (model_.is_panel()) {
    std::vector<SeriesForecast> each;
    ForecastOptions own = options;
    for (const Instant origin : origins) {
      own.at = origin;
      each.push_back(forecast_panel(series, model_, own, inference_, pool_, watch));
    }
    return each;
  }
  const AlignedSeries rows(series, model_);
  std::vector<RowRange> histories;
  histories.reserve(origins.size());
  for (const Instant origin : origins) histories.push_back(rows_for(rows, origin));
  std::vector<SeriesForecast> out;
  out.reserve(origins.size());
  const std::unique_ptr<ForecastRanges> ranges = ranges_for(model_, options);
  // Ranges are corrected from one origin to the next.
  const std::size_t most = ranges ? 1 : at_once_;
  while (out.size() < origins.size()) {
    const std::size_t count = std::min(most, origins.size() - out.size());
    forecast_batch(rows, std::span(histories).subspan(out.size(), count), options, ranges.get(),
                   out);
    watch.advance("forecasting", out.size(), origins.size());
  }
  return out;
}

RowRange ForecastSession::rows_for(const AlignedSeries& rows,
                                   const std::optional<Instant>& at) const {
  const Series& series = rows.series();
  std::size_t end = rows.target_rows();
  if (at) {
    if (end == 0 || series.step.add(series.stamps[end - 1], 1, series.zone) <= *at) {
      throw_error(ErrorKind::kData, series.source,
                  "a forecast from {} was asked for, and the last row with targets is of {}",
                  to_text(*at, series.zone),
                  end == 0 ? "none" : to_text(series.stamps[end - 1], series.zone));
    }
    const auto after = std::ranges::upper_bound(series.stamps, *at);
    end = std::min(end, static_cast<std::size_t>(after - series.stamps.begin()));
  }
  if (end < shape_.lookback) {
    throw_error(ErrorKind::kData, series.source, "a forecast needs {} of history and has only {}{}",
                counted(shape_.lookback, "row"), end,
                at ? fmt::format(" up to {}", to_text(*at, series.zone)) : "");
  }
  return {end - shape_.lookback, end};
}

void ForecastSession::require_known(const AlignedSeries& rows, RowRange history) const {
  if (!model_.reads_known()) return;
  const Series& series = rows.series();
  for (std::size_t c = shape_.channels; c < model_.channels.size(); ++c) {
    if (model_.channels[c].role != Role::kKnown) continue;
    const Channel& channel = rows.channel(c);
    for (std::size_t row = history.begin; row < history.end + shape_.horizon; ++row) {
      if (!std::isnan(channel.at(row))) {
        if (model_.scaler.is_within_reach(c, channel.at(row))) continue;
        refuse_far_value(series, channel, row, model_.scaler, c);
      }
      throw_error(
          ErrorKind::kData, series.source,
          "the known column '{}' has no value {}; it must have one in each of {} of history "
          "and {} to forecast",
          channel.name,
          row < series.rows() ? "at " + to_text(series.stamps[row], series.zone)
                              : counted(row - history.end + 1, "step") + " after the last target",
          counted(history.size(), "row"), counted(shape_.horizon, "step"));
    }
  }
}

void ForecastSession::require_past(const AlignedSeries& rows, RowRange history) const {
  const Series& series = rows.series();
  for (std::size_t c = model_.channels.size() - shape_.past; c < model_.channels.size(); ++c) {
    const Channel& channel = rows.channel(c);
    for (std::size_t row = history.begin; row < history.end; ++row) {
      if (std::isnan(channel.at(row))) {
        throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                         "the model reads this column of the past, which has no value at {}; it "
                         "must have one in each of {} of history",
                         to_text(series.stamps[row], series.zone), counted(history.size(), "row"))
            .with(remedy::open("fill", "fills a gap"))
            .with(remedy::advice("forecast from an earlier row, up to which it is there"));
      }
      if (!model_.scaler.is_within_reach(c, channel.at(row))) {
        refuse_far_value(series, channel, row, model_.scaler, c);
      }
    }
  }
}

void ForecastSession::make_room(std::size_t samples) {
  if (samples > capacity_) {
    arena_.reset();
    capacity_ = samples;
    const std::size_t C = shape_.channels;
    const BatchShape all{.samples = samples,
                         .channels = C,
                         .lookback = shape_.lookback,
                         .horizon = shape_.horizon,
                         .features = model_.calendar.features.size(),
                         .known = known_inputs_of(model_),
                         .past = shape_.past};
    batch_ = allocate_batch(all, arena_);
    // A forecast does not read targets; whoever does shall see that there are none.
    std::ranges::fill(batch_.target, std::numeric_limits<float>::quiet_NaN());
    forecast_ = allocate_forecast(all, arena_);
    parts_ = {arena_.allocate<float>(samples * C * shape_.horizon),
              arena_.allocate<float>(samples * C), arena_.allocate<float>(samples * C)};
    gaps_.resize(samples * C);
    if (model_.effects) effects_.resize(samples * C * shape_.horizon);
    history_.numbers.resize(history_.steps);
    future_.numbers.resize(future_.steps);
  }
  batch_.shape.samples = samples;
  if (history_.keys.has_room(samples) && future_.keys.has_room(samples)) return;
  history_.keys.begin_anew();
  future_.keys.begin_anew();
  keeping_.reset();
  keeping_.emplace(inference_, history_.keys.most(), future_.keys.most());
}

void ForecastSession::gather_step(const StepCalendar::Entry& step, std::size_t at,
                                  std::size_t sample, Side& side, Calendars& calendars) {
  const std::size_t F = model_.calendar.features.size();
  side.numbers[at] = step.number;
  // Where the sample's calendar would be if all were distinct; forecast_batch() moves them up.
  std::copy_n(step.features.data(), F, calendars.features.data() + (sample * side.steps + at) * F);
}

void ForecastSession::gather(const AlignedSeries& rows, const CalendarPlan& plan, RowRange history,
                             std::size_t sample) {
  const Series& series = rows.series();
  const std::size_t T = shape_.lookback;
  const std::size_t H = shape_.horizon;
  const std::size_t C = shape_.channels;
  for (std::size_t c = 0; c < C; ++c) {
    const Channel& channel = rows.channel(c);
    float* out = batch_.history.data() + (sample * C + c) * T;
    std::size_t gaps = 0;
    for (std::size_t t = 0; t < T; ++t) {
      const double value = channel.at(history.begin + t);
      const double scaled = model_.scaler.scaled(c, value);
      gaps += model_.scaler.is_within_reach(c, value) ? 0 : 1;
      out[t] = static_cast<float>(scaled);
    }
    gaps_[sample * C + c] = gaps;
  }
  if (const std::size_t gaps = gather_past(rows, history, sample); gaps > 0) {
    // Of a window that ranges are corrected by: nothing is learnt from it.
    for (std::size_t c = 0; c < C; ++c) gaps_[sample * C + c] += gaps;
  }
  if (model_.effects) gather_effects(rows, history, sample);
  for (std::size_t c = 0; c < C; ++c) {
    // The mean keeps the arithmetic finite; what comes out of such a channel is not used.
    if (gaps_[sample * C + c] > 0) {
      std::fill_n(batch_.history.data() + (sample * C + c) * T, T, 0.0f);
    }
  }
  const std::size_t K = batch_.shape.known;
  for (std::size_t k = 0; k < K; ++k) {
    const Channel& channel = rows.channel(C + k);
    float* past = batch_.known_history.data() + (sample * K + k) * T;
    float* future = batch_.known_future.data() + (sample * K + k) * H;
    for (std::size_t t = 0; t < T + H; ++t) {
      (t < T ? past[t] : future[t - T]) =
          static_cast<float>(model_.scaler.scaled(C + k, channel.at(history.begin + t)));
    }
  }
  // Known columns go on past the last target, and so do the rows' own stamps.
  const std::size_t stamped = std::min(series.rows(), history.end + H);
  const auto phase = [&](std::size_t row, const StepCalendar::Entry& step) {
    if (plan.phase == PhaseSource::kTimestamp) return step.phase;
    return static_cast<std::int32_t>((row + static_cast<std::size_t>(plan.first_phase)) %
                                     static_cast<std::size_t>(plan.period));
  };
  for (std::size_t t = 0; t < T; ++t) {
    const StepCalendar::Entry& step = calendar_.at(series.stamps[history.begin + t]);
    gather_step(step, t, sample, history_, batch_.history_calendars);
    batch_.history_phase[sample * T + t] = phase(history.begin + t, step);
  }
  for (std::size_t h = 0; h < H; ++h) {
    const std::size_t row = history.end + h;
    const StepCalendar::Entry& step = calendar_.at(
        row < stamped ? series.stamps[row]
                      : series.step.add(series.stamps[stamped - 1],
                                        static_cast<std::int64_t>(row - stamped + 1), series.zone));
    gather_step(step, h, sample, future_, batch_.future_calendars);
    batch_.future_phase[sample * H + h] = phase(row, step);
  }
  batch_.history_calendars.of_sample[sample] = history_.keys.key(history_.numbers);
  batch_.future_calendars.of_sample[sample] = future_.keys.key(future_.numbers);
}

std::size_t ForecastSession::gather_past(const AlignedSeries& rows, RowRange history,
                                         std::size_t sample) {
  const std::size_t P = batch_.shape.past;
  float* out = batch_.past_history.data() + sample * P * shape_.lookback;
  std::size_t gaps = 0;
  for (std::size_t c = model_.channels.size() - P; c < model_.channels.size(); ++c) {
    for (std::size_t row = history.begin; row < history.end; ++row) {
      const double value = rows.channel(c).at(row);
      const bool is_there = model_.scaler.is_within_reach(c, value);
      gaps += is_there ? 0 : 1;
      *out++ = is_there ? static_cast<float>(model_.scaler.scaled(c, value)) : 0.0f;
    }
  }
  return gaps;
}

void ForecastSession::gather_effects(const AlignedSeries& rows, RowRange history,
                                     std::size_t sample) {
  const std::size_t T = shape_.lookback;
  const std::size_t H = shape_.horizon;
  const std::size_t C = shape_.channels;
  const Effects& effects = *model_.effects;
  EffectRows effect_rows(effects.design());
  std::vector<const Channel*> known;
  for (std::size_t c = 0; c < C; ++c) {
    double* future = effects_.data() + (sample * C + c) * H;
    std::fill_n(future, H, 0.0);
    if (!effects.has(c)) continue;
    known.clear();
    for (std::size_t k = C; k < model_.channels.size(); ++k) {
      const bool is_own = rows.channel(k).series == rows.channel(c).series;
      if (model_.channels[k].role == Role::kKnown && is_own) known.push_back(&rows.channel(k));
    }
    effect_rows.read(rows.series(), known, {history.begin, history.end + H});
    const auto effect = [&](std::size_t row) {
      return effects.of(c, effect_rows.group(row), effect_rows.terms(row));
    };
    float* out = batch_.history.data() + (sample * C + c) * T;
    for (std::size_t t = 0; t < T; ++t) {
      const double value = rows.channel(c).at(history.begin + t);
      out[t] = static_cast<float>(model_.scaler.scaled(c, value) - effect(history.begin + t));
    }
    for (std::size_t h = 0; h < H; ++h) future[h] = effect(history.end + h);
  }
}

namespace {

// Features of the distinct calendars, from where each sample has its own. Keys ascend, so a
// calendar may be needed further down than it is put: copied by way of scratch.
void move_up(Calendars& calendars, std::size_t samples, std::size_t floats,
             std::vector<float>& scratch) {
  list_distinct(calendars, samples);
  if (samples == 1) return;
  scratch.assign(calendars.features.begin(),
                 calendars.features.begin() + static_cast<std::ptrdiff_t>(samples * floats));
  for (std::size_t b = samples; b-- > 0;) {
    std::copy_n(
        scratch.data() + b * floats, floats,
        calendars.features.data() + static_cast<std::size_t>(calendars.of_sample[b]) * floats);
  }
}

}  // namespace

void ForecastSession::run(const AlignedSeries& rows, std::span<const RowRange> histories) {
  make_room(histories.size());
  const CalendarPlan plan = calendar_for(rows.series(), model_);
  for (std::size_t sample = 0; sample < histories.size(); ++sample) {
    gather(rows, plan, histories[sample], sample);
  }
  const std::size_t F = model_.calendar.features.size();
  move_up(batch_.history_calendars, histories.size(), history_.steps * F, scratch_);
  move_up(batch_.future_calendars, histories.size(), future_.steps * F, scratch_);
  inference_.forecast(batch_, forecast_, parts_);
}

void ForecastSession::forecast_batch(const AlignedSeries& rows, std::span<const RowRange> histories,
                                     const ForecastOptions& options, ForecastRanges* ranges,
                                     std::vector<SeriesForecast>& out) {
  for (const RowRange& history : histories) {
    require_known(rows, history);
    require_past(rows, history);
  }
  if (ranges != nullptr) correct(rows, histories.front().end, *ranges);
  run(rows, histories);
  for (std::size_t sample = 0; sample < histories.size(); ++sample) {
    out.push_back(result(rows, histories[sample], sample, options, ranges));
  }
}

ChannelForecast ForecastSession::naive(const Channel& channel, std::size_t c,
                                       RowRange history) const {
  std::vector<double> past(history.end);
  for (std::size_t row = 0; row < history.end; ++row) {
    const double value = channel.at(row);
    past[row] = model_.scaler.is_within_reach(c, value) ? value : kMissing;
  }
  ChannelForecast out;
  out.values.resize(shape_.horizon);
  seasonal_naive_forecast<double>(past, shape_.period, out.values);
  out.status = Status::kSeasonalNaive;
  if (std::isnan(out.values.front())) {
    out.status = Status::kLevel;
    std::ranges::fill(out.values, model_.scaler.means()[c]);
  }
  return out;
}

bool ForecastSession::is_still_constant(const Channel& channel, std::size_t c,
                                        RowRange history) const {
  if (!model_.channels[c].is_constant) return false;
  for (std::size_t row = history.begin; row < history.end; ++row) {
    if (channel.at(row) != model_.scaler.means()[c]) return false;
  }
  return true;
}

SeriesForecast ForecastSession::result(const AlignedSeries& rows, RowRange history,
                                       std::size_t sample, const ForecastOptions& options,
                                       const ForecastRanges* ranges) const {
  const Series& series = rows.series();
  const std::size_t H = shape_.horizon;
  SeriesForecast result{series.zone, series.stamps[history.end - 1], {}, {}};
  result.levels = options.levels;
  result.quantiles = options.quantiles;
  if (ranges != nullptr && ranges->replay) {
    result.corrected_by = ranges->replay->correction.matured();
  }
  result.stamps.reserve(H);
  for (std::size_t h = 0; h < H; ++h) {
    result.stamps.push_back(
        series.step.add(result.cutoff, static_cast<std::int64_t>(h) + 1, series.zone));
  }
  result.channels.reserve(shape_.channels);
  std::optional<calibrate::WindowRanges> made;
  if (ranges != nullptr) made.emplace(ranges->ranges());
  for (std::size_t c = 0; c < shape_.channels; ++c) {
    const std::size_t at = sample * shape_.channels + c;
    ChannelForecast channel;
    if (gaps_[at] > 0) {
      channel = naive(rows.channel(c), c, history);
      channel.reason = gap_reason(rows.channel(c), history, gaps_[at]);
    } else if (is_still_constant(rows.channel(c), c, history)) {
      channel.values.assign(H, model_.scaler.means()[c]);
      channel.anchor = channel.values;
      channel.residual.assign(H, 0.0);
    } else {
      channel.scale = static_cast<double>(parts_.deviation[at]) * model_.scaler.scales()[c];
      channel.level = model_.scaler.means()[c];
      channel.unit = model_.scaler.scales()[c];
      channel.values.resize(H);
      channel.anchor.resize(H);
      channel.residual.resize(H);
      if (model_.effects) channel.effect.resize(H);
      for (std::size_t h = 0; h < H; ++h) {
        channel.values[h] = model_.scaler.original(c, forecast_.values[at * H + h]);
        channel.anchor[h] = model_.scaler.original(c, parts_.anchor[at * H + h]);
        channel.residual[h] = channel.values[h] - channel.anchor[h];
        if (!model_.effects) continue;
        channel.effect[h] = effects_[at * H + h] * model_.scaler.scales()[c];
        channel.values[h] += channel.effect[h];
      }
    }
    channel.channel = rows.channel(c).name;
    if (ranges != nullptr && gaps_[at] == 0) {
      ranges->add(c, calibrate::outlook(batch_, forecast_, sample, c, ranges->recent_steps()),
                  model_.scaler.scales()[c], *made, channel);
    }
    hold(channel, options);
    result.channels.push_back(std::move(channel));
  }
  return result;
}

}  // namespace pulsecast
