#include "pulsecast/forecast/scored_rows.h"

#include <algorithm>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/evaluate/seasons.h"
#include "pulsecast/forecast/align.h"
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

Evaluation evaluate_rows(const Series& series, const artifact::Model& model, RowRange rows,
                         ThreadPool& threads, const Watch& watch) {
  const model::ModelShape& shape = model.pulse->shape();
  if (rows.size() == 0) {
    throw make_error(
        ErrorKind::kData, series.source,
        "there are no rows to score: the model has seen rows up to {}, and the file ends at {}",
        to_text(std::max(model.origin.trained.last, model.origin.validated.last), series.zone),
        series.stamps.empty() ? "none" : to_text(series.stamps.back(), series.zone))
        .with(remedy::advice("give newer rows"))
        .with(remedy::act(RemedyAction::kScoreValidation, "to score rows that the model knows"))
        .with(remedy::act(RemedyAction::kScoreTraining, "to score rows that the model knows"));
  }
  const ScaledSeries scaled(series, model.scaler, calendar_for(series, model));
  const Windows windows(scaled, shape.lookback, shape.horizon, rows, History::kReaches);
  require_windows(windows, series, rows, "scored", shape.lookback, shape.horizon);
  const RowRange trained = rows_of(series, model, Part::kTraining);
  model::Inference inference(*model.pulse, threads);
  const model::Inference::Keeping keeping(inference, windows.distinct_history_calendars(),
                                          windows.distinct_future_calendars());
  return evaluate(
      scaled, windows, model.scaler, trained, seasons_of(series.step),
      [&](const Batch& batch, Forecast& forecast) { inference.forecast(batch, forecast); }, threads,
      {.watch = watch});
}

}  // namespace pulsecast
