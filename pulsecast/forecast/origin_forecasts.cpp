#include "pulsecast/forecast/origin_forecasts.h"

#include <algorithm>
#include <limits>

#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/panel_forecast.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMostWindowsOfAPass = 256;
constexpr std::size_t kPassFloats = std::size_t{1} << 20;

Scaler scaler_of(const Series& series, const artifact::Model& model) {
  if (!model.is_panel()) return model.scaler;
  std::vector<bool> is_new;
  return scaler_for(series, model, is_new);
}

ScaledSeries scaled_of(const Series& series, const artifact::Model& model, const Scaler& scaler) {
  const CalendarPlan plan = calendar_for(series, model);
  if (!model.is_panel()) return {series, scaler, plan, 0, model.known_use()};
  return ScaledSeries::panel(series, scaler, plan, model.shape().lookback, 0, model.known_use());
}

Windows windows_of(const ScaledSeries& scaled, const artifact::Model& model,
                   std::span<const RowRange> rows) {
  const model::ModelShape& shape = model.shape();
  if (!model.is_panel()) {
    return {scaled, shape.lookback, shape.horizon, rows.front(), History::kReaches};
  }
  const WindowSize size{shape.lookback, shape.horizon, shape.period};
  return {scaled, size, SeriesWindows(scaled, size, rows, false, 0)};
}

std::size_t windows_of_a_pass(const model::ModelShape& shape) {
  return std::clamp<std::size_t>(kPassFloats / (shape.channels * (shape.lookback + shape.horizon)),
                                 1, kMostWindowsOfAPass);
}

}  // namespace

OriginForecasts::OriginForecasts(const Series& series, const artifact::Model& model,
                                 std::span<const RowRange> rows, ThreadPool& threads)
    : horizon_(model.shape().horizon),
      scaler_(scaler_of(series, model)),
      scaled_(scaled_of(series, model, scaler_)),
      windows_(windows_of(scaled_, model, rows)),
      inference_(model.ensemble, threads),
      keeping_(inference_, windows_.distinct_history_calendars(),
               windows_.distinct_future_calendars()),
      at_once_(windows_of_a_pass(model.shape())),
      batch_(allocate_batch(windows_.shape(at_once_), arena_)),
      forecast_(allocate_forecast(batch_.shape, arena_)) {
  const std::size_t lookback = model.shape().lookback;
  places_.reserve(windows_.size());
  for (std::size_t window = 0; window < windows_.size(); ++window) {
    places_.push_back({static_cast<std::uint32_t>(windows_.first_row(window) + lookback),
                       static_cast<std::uint32_t>(window)});
  }
  std::ranges::stable_sort(places_, {}, &Place::row);
}

std::vector<std::size_t> OriginForecasts::origins() const {
  std::vector<std::size_t> rows;
  for (const Place& place : places_) {
    if (rows.empty() || rows.back() != place.row) rows.push_back(place.row);
  }
  return rows;
}

std::span<const OriginForecasts::Place> OriginForecasts::places_at(std::size_t row) const {
  const auto begin = std::ranges::lower_bound(places_, row, {}, &Place::row);
  const auto end = std::ranges::upper_bound(places_, row, {}, &Place::row);
  return {begin, end};
}

void OriginForecasts::present(std::size_t row, std::span<std::uint8_t> present) const {
  std::ranges::fill(present, std::uint8_t{0});
  for (const Place& place : places_at(row)) {
    if (const SeriesWindows* panel = windows_.panel()) {
      present[panel->place(place.window).target] = 1;
    } else {
      for (std::size_t c = 0; c < targets(); ++c) present[c] = windows_.has(place.window, c);
    }
  }
}

void OriginForecasts::run(std::span<const std::uint32_t> windows, std::span<float* const> out) {
  windows_.gather(windows, batch_);
  Forecast forecast = forecast_;
  forecast.samples = windows.size();
  const std::size_t values = forecast.channels * horizon_;
  forecast.values = forecast_.values.first(windows.size() * values);
  inference_.forecast(batch_, forecast);
  for (std::size_t b = 0; b < windows.size(); ++b) {
    const SeriesWindows* panel = windows_.panel();
    const std::size_t row = windows_.first_row(windows[b]) + batch_.shape.lookback;
    for (std::size_t i = 0; i < values; ++i) {
      const std::size_t c = panel ? panel->place(windows[b]).target : i / horizon_;
      out[b][i] = forecast.values[b * values + i] + scaled_.effect(c, row + i % horizon_);
    }
  }
}

void OriginForecasts::forecast(std::span<const std::size_t> rows, std::span<float> values) {
  std::ranges::fill(values, std::numeric_limits<float>::quiet_NaN());
  std::vector<std::uint32_t> windows;
  std::vector<float*> out;
  const auto flush = [&] {
    if (!windows.empty()) run(windows, out);
    windows.clear();
    out.clear();
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    float* of_origin = values.data() + i * targets() * horizon_;
    for (const Place& place : places_at(rows[i])) {
      const SeriesWindows* panel = windows_.panel();
      windows.push_back(place.window);
      out.push_back(of_origin + (panel ? panel->place(place.window).target * horizon_ : 0));
      if (windows.size() == at_once_) flush();
    }
  }
  flush();
}

}  // namespace pulsecast
