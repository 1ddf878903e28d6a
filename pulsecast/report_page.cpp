#include "pulsecast/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/base/only_errors.h"
#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecast/range_evaluation.h"
#include "pulsecast/report/thinning.h"
#include "pulsecast/report_parts.h"

namespace pulsecast {
namespace {

using report::ChannelReport;
using report::ModelReport;
using report::ScoreReport;

// Those that are asked for; else the usual ones that the model has scores enough for.
std::vector<double> levels_of(const Model& model, const ReportOptions& options) {
  if (!options.forecast.levels.empty() || !model.inside().ranges) return options.forecast.levels;
  std::vector<double> levels;
  const calibrate::RangeRequest usual = scored_ranges(*model.inside().ranges);
  for (const auto& level : usual.levels()) {
    levels.push_back(level.level);
  }
  return levels;
}

// Rows that the model has not seen; where there are none, those that chose its best epoch.
void score(ReportMaterial& material) {
  for (const Part part : {Part::kHeldOut, Part::kValidation}) {
    try {
      material.scored = material.model->evaluate(material.rows, part, material.options.threads,
                                                 material.options.watch);
      material.part = part;
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData) throw;
    }
  }
}

ScoreReport score_report(const Scored& scored) {
  ScoreReport out{
      .name = scored.name, .mse = scored.scaled.overall.mse, .mae = scored.scaled.overall.mae};
  for (const Errors& errors : scored.scaled.per_step) out.by_step.push_back(errors.mae);
  for (const Errors& errors : scored.original.per_channel) out.by_channel.push_back(errors.mae);
  return out;
}

void add_scores(const ReportMaterial& material, ModelReport& out) {
  if (!material.scored) {
    out.left_out.emplace_back(
        "There are no scores: the model has seen all of these rows, and none are left that chose "
        "its epoch. Newer rows would be scored.");
    return;
  }
  const Evaluation& evaluation = material.scored->evaluation;
  out.scores.push_back(score_report(evaluation.model));
  for (const Scored& baseline : evaluation.baselines) out.scores.push_back(score_report(baseline));
  const RowRange rows = material.scored->rows;
  const Zone zone = material.rows.zone();
  out.scored_on =
      fmt::format("{} {} {} to {}{}", counted(evaluation.windows, "window"),
                  material.part == Part::kHeldOut ? "of rows that the model has not seen,"
                                                  : "of the rows that chose the model's epoch,",
                  to_text(material.rows.stamps()[rows.begin], zone),
                  to_text(material.rows.stamps()[rows.end - 1], zone),
                  material.part == Part::kHeldOut ? "" : ", which flatter it a little");
}

void add_headlines(const ReportMaterial& material, const SeriesForecast& next, ModelReport& out) {
  out.headlines.emplace_back(counted(material.targets.size(), "series", "series"),
                             fmt::format("of {}", counted(material.rows.rows(), "row")));
  out.headlines.emplace_back(counted(material.model->card().horizon, "step"),
                             fmt::format("of {} ahead, from {}", material.rows.step().to_string(),
                                         to_text(next.cutoff, material.rows.zone())));
  if (out.scores.size() < 2) return;
  const ScoreReport& model = out.scores.front();
  out.headlines.emplace_back(
      fmt::format("{:.4f}", model.mse),
      fmt::format("mean squared error of scaled values ({:.4f} absolute)", model.mae));
  const auto best =
      std::min_element(out.scores.begin() + 1, out.scores.end(),
                       [](const ScoreReport& a, const ScoreReport& b) { return a.mae < b.mae; });
  const double share = 100.0 * (1.0 - model.mae / best->mae);
  out.headlines.emplace_back(
      fmt::format("{:.0f} % {}", std::abs(share), share >= 0.0 ? "less error" : "more error"),
      fmt::format("than {}, the best that costs nothing", best->name));
}

// A gap of a page's channel and what was done about it, in a sentence.
std::string status_text(const ChannelForecast& channel) {
  if (channel.status == ChannelForecast::Status::kOk) return "";
  return fmt::format("{}: {}", name(channel.status), channel.reason);
}

void add_next(const ReportMaterial& material, const SeriesForecast& next, ModelReport& out) {
  const Observations& rows = material.rows;
  const std::size_t whole = material.model->card().lookback + 4 * material.model->card().horizon;
  for (std::size_t i = 0; i < material.shown.channels; ++i) {
    const ChannelForecast& forecast = next.channels[i];
    const std::size_t channel = material.targets[i];
    ChannelReport entry{.name = rows.name(channel), .status = status_text(forecast)};
    const std::size_t first = rows.first_row(channel);
    std::span<const double> values = rows.values(channel);
    // A panel's series end where they like; elsewhere rows after the cutoff are left to the past
    // forecasts.
    const Instant cutoff = forecast.cutoff.value_or(next.cutoff);
    const auto stamps = rows.stamps().subspan(first, values.size());
    const auto count =
        static_cast<std::size_t>(std::ranges::upper_bound(stamps, cutoff) - stamps.begin());
    values = values.first(count);
    const report::Thinning thinning(count, material.shown.history, whole);
    for (const std::size_t row : thinning.rows()) entry.history_stamps.push_back(stamps[row]);
    entry.history = thinning.thin(values);
    entry.forecast_stamps = forecast.stamps.empty() ? next.stamps : forecast.stamps;
    entry.forecast = forecast.values;
    entry.bands = bands_of(forecast, material.levels);
    if (entry.forecast.empty()) entry.forecast_stamps.clear();
    out.channels.push_back(std::move(entry));
  }
}

void add_coverage(const ReportMaterial& material, ModelReport& out) {
  if (!material.scored) return;
  for (const RangesScored& ranges : material.scored->evaluation.ranges) {
    for (const LevelScored& level : ranges.levels) {
      report::CoverageReport entry{
          .name = fmt::format("{:g} %, {}", level.scaled.level, ranges.name),
          .promised = level.scaled.level,
          .held = 100.0 * level.scaled.overall.coverage};
      for (const IntervalErrors& step : level.scaled.per_step) {
        entry.by_step.push_back(100.0 * step.coverage);
      }
      for (const IntervalErrors& channel : level.scaled.per_channel) {
        entry.by_channel.push_back(100.0 * channel.coverage);
      }
      out.coverage.push_back(std::move(entry));
    }
  }
}

double steps_a_day(const Step& step) {
  if (step.unit() != Step::Unit::kMillisecond || step.count() >= kDayMilliseconds) return 0.0;
  return static_cast<double>(kDayMilliseconds) / static_cast<double>(step.count());
}

ModelReport make_report(const std::shared_ptr<const Model>& model, const Observations& rows,
                        const ReportOptions& options) {
  const ModelCard& card = model->card();
  ReportMaterial material{.model = model, .rows = rows, .options = options, .targets = {}};
  for (std::size_t c = 0; c < rows.channels(); ++c) {
    if (rows.role(c) == Role::kTarget) material.targets.push_back(c);
  }
  Session session(model, options.threads);
  material.levels = levels_of(*model, options);
  ForecastOptions with_ranges = options.forecast;
  with_ranges.levels = material.levels;
  const SeriesForecast next = session.forecast(rows, with_ranges);
  score(material);
  material.origins = scored_origins(material);
  material.shown = report::allot({.channels = material.targets.size(),
                                  .rows = rows.rows(),
                                  .lookback = card.lookback,
                                  .horizon = card.horizon,
                                  .bands = material.levels.size(),
                                  .origins = material.origins.size()});
  // The narrowest stay, which come first.
  material.levels.resize(std::min(material.levels.size(), material.shown.bands));
  ModelReport out{.title = options.title.empty() ? "Forecast of " + rows.source() : options.title,
                  .lead = fmt::format("{}, {} of history to {} ahead, {}.", card.title,
                                      counted(card.lookback, "step"), card.horizon,
                                      counted(material.targets.size(), "series", "series")),
                  .made_by = fmt::format("pulsecast {}", version()),
                  .zone = rows.zone(),
                  .step = rows.step().to_string(),
                  .steps_a_day = steps_a_day(rows.step())};
  for (const std::size_t channel : material.targets)
    out.channel_names.push_back(rows.name(channel));
  add_scores(material, out);
  add_coverage(material, out);
  add_headlines(material, next, out);
  add_next(material, next, out);
  add_past(material, session, out);
  add_inside(material, out);
  add_facts(material, out);
  return out;
}

}  // namespace

std::vector<report::Band> bands_of(const ChannelForecast& channel, std::span<const double> levels) {
  std::vector<const ForecastRange*> ranges;
  for (const ForecastRange& range : channel.ranges) {
    if (std::ranges::count(levels, range.level) > 0) ranges.push_back(&range);
  }
  std::ranges::stable_sort(ranges, std::greater<>(),
                           [](const ForecastRange* range) { return range->level; });
  std::vector<report::Band> bands;
  bands.reserve(ranges.size());
  for (const ForecastRange* range : ranges) {
    bands.push_back({fmt::format("{:g} %", range->level), range->low, range->high});
  }
  return bands;
}

double ReportMaterial::value(std::size_t target, std::size_t row) const {
  const std::size_t first = rows.first_row(targets[target]);
  const std::span<const double> values = rows.values(targets[target]);
  return row >= first && row - first < values.size() ? values[row - first] : kMissing;
}

std::string report_page(const std::shared_ptr<const Model>& model, const Observations& rows,
                        const ReportOptions& options) {
  return only_errors([&] { return to_page(make_report(model, rows, options)); });
}

}  // namespace pulsecast
