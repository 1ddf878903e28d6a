#include "pulsecast/forecast/look_inside.h"

#include <algorithm>

#include "pulsecast/base/arena.h"
#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/panel_forecast.h"
#include "pulsecast/forecast/scored_rows.h"
#include "pulsecast/model/inference.h"

namespace pulsecast {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{8} << 20;  // of a batch and its parts

// At most `most` of `count`, evenly, the last among them.
std::vector<std::uint32_t> spread(std::size_t count, std::size_t most) {
  const std::size_t taken = most == 0 ? count : std::min(count, most);
  std::vector<std::uint32_t> some(taken);
  for (std::size_t i = 0; i < taken; ++i) {
    some[i] = static_cast<std::uint32_t>((i + 1) * count / taken - 1);
  }
  return some;
}

class Looking {
 public:
  Looking(const Series& series, const model::Pulse& pulse, const Scaler& scaler,
          const ScaledSeries& scaled, const Windows& windows, const InsideRequest& request)
      : series_(series),
        pulse_(pulse),
        shape_(pulse.shape()),
        scaler_(scaler),
        scaled_(scaled),
        windows_(windows),
        channels_(spread(shape_.channels, request.most_channels)),
        asked_(spread(windows.size(), request.most_windows)) {}

  Inside make(ThreadPool& pool, const Watch& watch) {
    out_.windows = asked_.size();
    out_.channels = channels_.size();
    out_.lookback = shape_.lookback;
    out_.horizon = shape_.horizon;
    out_.has_anchor = shape_.anchor;
    out_.has_router = shape_.anchor && shape_.router;
    if (asked_.empty()) return std::move(out_);
    const std::size_t each = shape_.channels * (2 * shape_.lookback + 4 * shape_.horizon);
    const std::size_t at_once = std::clamp<std::size_t>(kValuesAtOnce / each, 1, asked_.size());
    Batcher batcher(windows_, at_once, pool);
    model::Inference inference(pulse_, pool);
    const model::Inference::Keeping keeping(inference, windows_.distinct_history_calendars(),
                                            windows_.distinct_future_calendars());
    Arena arena;
    const std::size_t rows = at_once * shape_.channels;
    Forecast forecast = allocate_forecast(windows_.shape(at_once), arena);
    const model::Inference::Parts parts{arena.allocate<float>(rows * shape_.horizon),
                                        arena.allocate<float>(rows), arena.allocate<float>(rows),
                                        arena.allocate<float>(rows * shape_.horizon),
                                        arena.allocate<float>(rows * shape_.lookback)};
    for (std::size_t done = 0; done < asked_.size();) {
      const auto some = std::span(asked_).subspan(done, std::min(at_once, asked_.size() - done));
      const Batch& batch = batcher.gather(some);
      inference.forecast(batch, forecast, parts);
      for (std::size_t b = 0; b < some.size(); ++b) keep(some[b], b, batch, forecast, parts);
      done += some.size();
      watch.advance("looking inside", done, asked_.size());
    }
    return std::move(out_);
  }

 private:
  void keep(std::size_t window, std::size_t b, const Batch& batch, const Forecast& forecast,
            const model::Inference::Parts& parts) {
    const SeriesWindows* panel = windows_.panel();
    const std::size_t origin = windows_.first_row(window) + shape_.lookback;
    const auto add = [](std::vector<float>& to, std::span<const float> from, std::size_t row,
                        std::size_t length) {
      const auto own = from.subspan(row * length, length);
      to.insert(to.end(), own.begin(), own.end());
    };
    for (const std::size_t c : channels_) {
      const std::size_t row = b * shape_.channels + c;
      const std::size_t channel = panel != nullptr ? panel->place(window).target : c;
      out_.rows.push_back({.channel = channel,
                           .cutoff = series_.stamps[origin - scaled_.lead() - 1],
                           .is_present = windows_.has(window, c),
                           .level = scaler_.means()[channel],
                           .unit = scaler_.scales()[channel],
                           .mean = parts.mean[row],
                           .deviation = parts.deviation[row]});
      add(out_.history, batch.history, row, shape_.lookback);
      add(out_.past_anchor, parts.past_anchor, row, shape_.lookback);
      add(out_.truth, batch.target, row, shape_.horizon);
      add(out_.forecast, forecast.values, row, shape_.horizon);
      add(out_.anchor, parts.anchor, row, shape_.horizon);
      add(out_.routed, parts.routed, row, shape_.horizon);
    }
  }

  const Series& series_;
  const model::Pulse& pulse_;
  const model::ModelShape& shape_;
  const Scaler& scaler_;
  const ScaledSeries& scaled_;
  const Windows& windows_;
  std::vector<std::uint32_t> channels_;
  std::vector<std::uint32_t> asked_;
  Inside out_;
};

}  // namespace

Inside look_inside(const Series& series, const model::Pulse& pulse, const Scaler& scaler,
                   const ScaledSeries& scaled, const Windows& windows, const InsideRequest& request,
                   ThreadPool& pool, const Watch& watch) {
  return Looking(series, pulse, scaler, scaled, windows, request).make(pool, watch);
}

Inside look_inside(const Series& series, const artifact::Model& model, const InsideRequest& request,
                   ThreadPool& pool, const Watch& watch) {
  const model::ModelShape& shape = model.ensemble.lead().shape();
  const CalendarPlan calendar = calendar_for(series, model);
  if (model.is_panel()) {
    std::vector<bool> is_new;
    const Scaler scaler = scaler_for(series, model, is_new);
    const ScaledSeries scaled =
        ScaledSeries::panel(series, scaler, calendar, shape.lookback, 0, model.known_use());
    const WindowSize size{shape.lookback, shape.horizon, shape.period};
    const Windows windows(
        scaled, size,
        SeriesWindows(scaled, size, rows_of_series(series, model, request.part), false, 0));
    return look_inside(series, model.ensemble.lead(), scaler, scaled, windows, request, pool,
                       watch);
  }
  const ScaledSeries scaled(series, model.scaler, calendar, 0, model.known_use());
  const Windows windows(scaled, shape.lookback, shape.horizon, rows_of(series, model, request.part),
                        History::kReaches);
  return look_inside(series, model.ensemble.lead(), model.scaler, scaled, windows, request, pool,
                     watch);
}

std::optional<Codebook> codebook_of(const artifact::Model& model) {
  const model::ModelShape& shape = model.ensemble.lead().shape();
  if (!shape.anchor) return std::nullopt;
  const model::Parameters& parameters = model.ensemble.lead().parameters();
  const auto& view = parameters.view(parameters.find("anchor.codebook"));
  const auto levels =
      parameters.weights().subspan(view.offset, shape.codebook_rows * shape.channels);
  return Codebook{.phases = shape.codebook_rows,
                  .channels = shape.channels,
                  .is_in_order_of_time = shape.codebook_order == CodebookOrder::kCalendar,
                  .levels = {levels.begin(), levels.end()}};
}

}  // namespace pulsecast
