#include "pulsecast/forecast/scored_rows.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/evaluate/seasons.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/panel_forecast.h"
#include "pulsecast/forecast/range_evaluation.h"
#include "pulsecast/model/inference.h"

namespace pulsecast {
namespace {

// Rows of `series` whose stamps lie in a range that was recorded in training.
RowRange rows_in(const Series& series, const artifact::StampRange& range) {
  const auto begin = std::ranges::lower_bound(series.stamps, range.first);
  const auto end = std::ranges::upper_bound(series.stamps, range.last);
  const auto row = [&](auto place) {
    return static_cast<std::size_t>(place - series.stamps.begin());
  };
  // Known columns may go on past the last target.
  return {row(begin), std::max(row(begin), std::min(row(end), target_rows(series)))};
}

}  // namespace

RowRange rows_of(const Series& series, const artifact::Model& model, Part part) {
  const artifact::Origin& origin = model.origin;
  const bool is_same = series_checksum(series) == origin.data_sha256;
  const auto recorded = [&](const artifact::StampRange& range) -> RowRange {
    if (range.rows == 0) return {};
    if (is_same) return {range.begin, range.begin + range.rows};
    return rows_in(series, range);
  };
  switch (part) {
    case Part::kTraining:
      return recorded(origin.trained);
    case Part::kValidation:
      return recorded(origin.validated);
    case Part::kAll:
      return {0, target_rows(series)};
    case Part::kHeldOut:
      break;
  }
  const RowRange test = recorded(origin.test);
  if (test.size() > 0) return test;
  const Instant seen = origin.validated.rows > 0 ? origin.validated.last : origin.trained.last;
  const auto after = std::ranges::upper_bound(series.stamps, seen);
  const auto begin = static_cast<std::size_t>(after - series.stamps.begin());
  return {begin, std::max(begin, target_rows(series))};
}

std::vector<RowRange> rows_of_series(const Series& series, const artifact::Model& model,
                                     Part part) {
  std::unordered_map<std::string_view, const artifact::SeriesParts*> seen;
  for (std::size_t s = 0; s < model.series.size(); ++s) {
    seen[model.channels[s].name] = &model.series[s];
  }
  std::vector<RowRange> rows;
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kTarget) continue;
    const RowRange own = rows_with_values(channel);
    const auto after = [&](Instant stamp) {
      const auto stamps = std::span(series.stamps).subspan(own.begin, own.size());
      return own.begin +
             static_cast<std::size_t>(std::ranges::upper_bound(stamps, stamp) - stamps.begin());
    };
    const auto found = seen.find(channel.name);
    const std::size_t trained = found == seen.end() ? own.begin : after(found->second->trained);
    const std::size_t validated =
        found == seen.end() ? own.begin : std::max(trained, after(found->second->validated));
    switch (part) {
      case Part::kTraining:
        rows.push_back({own.begin, trained});
        break;
      case Part::kValidation:
        rows.push_back({trained, validated});
        break;
      case Part::kHeldOut:
        rows.push_back({validated, own.end});
        break;
      case Part::kAll:
        rows.push_back(own);
        break;
    }
  }
  return rows;
}

namespace {

[[noreturn]] void refuse_no_rows(const Series& series, const artifact::Model& model) {
  throw make_error(
      ErrorKind::kData, series.source,
      "there are no rows to score: the model has seen rows up to {}, and the file ends at {}",
      to_text(std::max(model.origin.trained.last, model.origin.validated.last), series.zone),
      series.stamps.empty() ? "none" : to_text(series.stamps.back(), series.zone))
      .with(remedy::advice("give newer rows"))
      .with(remedy::act(RemedyAction::kScoreValidation, "to score rows that the model knows"))
      .with(remedy::act(RemedyAction::kScoreTraining, "to score rows that the model knows"));
}

Evaluation score_windows(const ScaledSeries& scaled, const Windows& windows, const Scaler& scaler,
                         std::span<const RowRange> trained, const Step& step,
                         const artifact::Model& model, RangeScoring scoring, ThreadPool& threads,
                         const Watch& watch) {
  model::Inference inference(model.ensemble, threads);
  const model::Inference::Keeping keeping(inference, windows.distinct_history_calendars(),
                                          windows.distinct_future_calendars());
  std::optional<RangeEvaluation> ranges;
  std::size_t done = 0;
  if (model.ranges && scoring == RangeScoring::kScored) ranges.emplace(model, scaled);
  Evaluation evaluation = evaluate(scaled, windows, scaler, trained, seasons_of(step),
                                   [&](const Batch& batch, Forecast& forecast) {
                                     inference.forecast(batch, forecast);
                                     if (ranges) ranges->add(windows, done, batch, forecast);
                                     done += batch.shape.samples;
                                   },
                                   threads, {.watch = watch});
  if (ranges) {
    // Of a panel a window is of a series of its own.
    const std::size_t block = model.is_panel() ? 1 : evaluation.horizon;
    evaluation.ranges = ranges->results(scaler, trained, model.shape().period, block);
  }
  return evaluation;
}

}  // namespace

Evaluation evaluate_series(const Series& series, const artifact::Model& model,
                           std::span<const RowRange> rows, RangeScoring ranges, ThreadPool& threads,
                           const Watch& watch) {
  const model::ModelShape& shape = model.shape();
  if (std::ranges::all_of(rows, [](RowRange own) { return own.size() == 0; })) {
    refuse_no_rows(series, model);
  }
  std::vector<bool> is_new;
  const Scaler scaler = scaler_for(series, model, is_new);
  const ScaledSeries scaled = ScaledSeries::panel(series, scaler, calendar_for(series, model),
                                                  shape.lookback, 0, model.known_use());
  const WindowSize size{shape.lookback, shape.horizon, shape.period};
  const Windows windows(scaled, size, SeriesWindows(scaled, size, rows, false, 0));
  require_windows(windows, series, {0, series.rows()}, "scored", shape.lookback, shape.horizon);
  return score_windows(scaled, windows, scaler, rows_of_series(series, model, Part::kTraining),
                       series.step, model, ranges, threads, watch);
}

Evaluation evaluate_rows(const Series& series, const artifact::Model& model, RowRange rows,
                         RangeScoring ranges, ThreadPool& threads, const Watch& watch) {
  const model::ModelShape& shape = model.shape();
  if (rows.size() == 0) refuse_no_rows(series, model);
  const ScaledSeries scaled(series, model.scaler, calendar_for(series, model), 0,
                            model.known_use());
  const Windows windows(scaled, shape.lookback, shape.horizon, rows, History::kReaches);
  require_windows(windows, series, rows, "scored", shape.lookback, shape.horizon);
  const RowRange trained = rows_of(series, model, Part::kTraining);
  return score_windows(scaled, windows, model.scaler, {&trained, 1}, series.step, model, ranges,
                       threads, watch);
}

}  // namespace pulsecast
