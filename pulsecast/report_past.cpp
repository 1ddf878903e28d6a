// Past forecasts: as they would have been made from rows that are scored, beside what came.

#include <algorithm>
#include <numeric>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/metrics/naive.h"
#include "pulsecast/report/past_errors.h"
#include "pulsecast/report_parts.h"

namespace pulsecast {
namespace {

constexpr std::size_t kAtOnce = 16;        // origins whose forecasts are held at a time
constexpr std::size_t kPanelOrigins = 24;  // each is a forecast of the whole panel

// About `most` of the origins, the last among them, at a distance that shares no factor with a day
// or a week: else all would begin at the same hour.
std::vector<std::size_t> strided(std::size_t count, std::size_t most) {
  std::size_t stride =
      std::max<std::size_t>(1, (count + most - 1) / std::max<std::size_t>(1, most));
  constexpr std::size_t kWeekOfHours = 168;
  while (stride > 1 && std::gcd(stride, kWeekOfHours) > 1) ++stride;
  std::vector<std::size_t> some;
  for (std::size_t i = count; i > 0; i -= std::min(i, stride)) some.push_back(i - 1);
  std::ranges::reverse(some);
  return some;
}

// The stamp up to which the model has seen a series of a panel.
Instant seen_of(const artifact::Model& inside, const std::string& name) {
  for (std::size_t s = 0; s < inside.series.size(); ++s) {
    if (inside.channels[s].name == name) {
      return std::max(inside.series[s].trained, inside.series[s].validated);
    }
  }
  return kEarliestInstant;
}

// What costs nothing: the last value, and the last season, again and again.
struct Naive {
  std::string name;
  std::size_t period = 1;
};

std::vector<Naive> naive_of(const ReportMaterial& material) {
  std::vector<Naive> naive = {{"naive", 1}};
  const Scored* best = nullptr;
  for (const Scored& baseline : material.scored->evaluation.baselines) {
    if (baseline.period == 0) continue;
    if (best == nullptr || baseline.scaled.overall.mae < best->scaled.overall.mae) best = &baseline;
  }
  if (best != nullptr) naive.push_back({best->name, best->period});
  return naive;
}

class Past {
 public:
  Past(const ReportMaterial& material, report::ModelReport& out)
      : material_(material),
        out_(out),
        horizon_(material.model->card().horizon),
        naive_(naive_of(material)) {
    for (std::size_t c = 0; c < material.shown.channels; ++c) {
      errors_.emplace_back(1 + naive_.size(), report::PastErrors(horizon_));
      seen_.push_back(material.model->inside().is_panel() && material.part == Part::kHeldOut
                          ? seen_of(material.model->inside(), out.channels[c].name)
                          : kEarliestInstant);
    }
  }

  void make(Session& session) {
    const std::vector<std::size_t> scored =
        strided(material_.origins.size(), material_.shown.scored_origins);
    // Of those that are scored, some are kept to look at.
    std::vector<bool> is_kept(scored.size(), false);
    const std::size_t kept = std::min(material_.shown.origins, scored.size());
    for (std::size_t i = 0; i < kept; ++i) is_kept[(i + 1) * scored.size() / kept - 1] = true;
    ForecastOptions options = material_.options.forecast;
    options.include_ended = true;
    for (std::size_t done = 0; done < scored.size();) {
      const std::size_t count = std::min(kAtOnce, scored.size() - done);
      std::vector<Instant> origins;
      for (std::size_t i = 0; i < count; ++i) {
        origins.push_back(material_.origins[scored[done + i]]);
      }
      const std::vector<SeriesForecast> forecasts =
          session.forecast(material_.rows, origins, options, material_.options.watch);
      for (std::size_t i = 0; i < count; ++i) add(forecasts[i], origins[i], is_kept[done + i]);
      done += count;
    }
    if (!material_.levels.empty()) add_bands(session, options);
    finish();
  }

 private:
  // Of those that are kept to look at: ranges are corrected from one origin to the next, so all of
  // them are made at once.
  void add_bands(Session& session, ForecastOptions options) {
    std::vector<Instant> origins;
    for (const report::ChannelReport& channel : out_.channels) {
      for (const report::PastForecast& past : channel.past) origins.push_back(past.cutoff);
    }
    std::ranges::sort(origins);
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
    options.levels = material_.levels;
    const std::vector<SeriesForecast> forecasts =
        session.forecast(material_.rows, origins, options, material_.options.watch);
    for (std::size_t c = 0; c < material_.shown.channels; ++c) {
      for (report::PastForecast& past : out_.channels[c].past) {
        const auto at = std::ranges::lower_bound(origins, past.cutoff) - origins.begin();
        past.bands =
            bands_of(forecasts[static_cast<std::size_t>(at)].channels[c], material_.levels);
      }
    }
  }

  void add(const SeriesForecast& forecast, Instant cutoff, bool is_kept) {
    const auto stamps = material_.rows.stamps();
    const auto row = static_cast<std::size_t>(std::ranges::upper_bound(stamps, cutoff) -
                                              stamps.begin());  // the first to come
    for (std::size_t c = 0; c < material_.shown.channels; ++c) {
      const ChannelForecast& channel = forecast.channels[c];
      // A series of a panel that had not begun, had ended, or had been seen.
      if (channel.values.empty() || channel.cutoff.value_or(cutoff) != cutoff) continue;
      if (cutoff < seen_[c]) continue;
      std::vector<double> truth(horizon_);
      for (std::size_t h = 0; h < horizon_; ++h) truth[h] = material_.value(c, row + h);
      score(c, row, truth, channel.values);
      if (is_kept) keep(c, row, cutoff, truth, channel.values);
    }
  }

  void score(std::size_t c, std::size_t row, std::span<const double> truth,
             std::span<const double> values) {
    const auto stamps = material_.rows.stamps().subspan(row, horizon_);
    const Zone zone = material_.rows.zone();
    errors_[c][0].add(stamps, zone, values, truth);
    const std::size_t channel = material_.targets[c];
    const std::span<const double> known =
        material_.rows.values(channel).first(row - material_.rows.first_row(channel));
    std::vector<double> forecast(horizon_);
    for (std::size_t n = 0; n < naive_.size(); ++n) {
      seasonal_naive_forecast<double>(known, naive_[n].period, forecast);
      errors_[c][n + 1].add(stamps, zone, forecast, truth);
    }
  }

  void keep(std::size_t c, std::size_t row, Instant cutoff, std::vector<double>& truth,
            const std::vector<double>& values) {
    const std::size_t before = std::min(material_.shown.past_history, row);
    report::PastForecast past{.cutoff = cutoff, .stamps = {}, .truth = {}, .forecast = values};
    for (std::size_t i = row - before; i < row + horizon_; ++i) {
      past.stamps.push_back(material_.rows.stamps()[i]);
      past.truth.push_back(i < row ? material_.value(c, i) : truth[i - row]);
    }
    out_.channels[c].past.push_back(std::move(past));
  }

  void finish() {
    const bool has_hours = out_.steps_a_day > 1.0;
    for (std::size_t c = 0; c < material_.shown.channels; ++c) {
      for (std::size_t line = 0; line <= naive_.size(); ++line) {
        const report::PastErrors& errors = errors_[c][line];
        out_.channels[c].errors.push_back(
            {line == 0 ? "model" : naive_[line - 1].name, errors.by_step(),
             has_hours ? errors.by_hour() : std::vector<double>(), errors.by_month()});
      }
    }
  }

  const ReportMaterial& material_;
  report::ModelReport& out_;
  std::size_t horizon_;
  std::vector<Naive> naive_;
  std::vector<std::vector<report::PastErrors>> errors_;  // (channels, forecasters)
  std::vector<Instant> seen_;                            // (channels)
};

}  // namespace

std::vector<Instant> scored_origins(const ReportMaterial& material) {
  if (!material.scored) return {};
  const ModelCard& card = material.model->card();
  const auto stamps = material.rows.stamps();
  RowRange rows = material.scored->rows;
  std::vector<Instant> origins;
  // Rows are taken as they come there, and their stamps may go back.
  if (!std::ranges::is_sorted(stamps)) return {};
  if (material.model->inside().is_panel()) {
    // As many as are worth the time, the newest.
    for (std::size_t row = rows.end; row > card.lookback + card.horizon; --row) {
      if (origins.size() == kPanelOrigins) break;
      origins.push_back(stamps[row - card.horizon - 1]);
    }
    std::ranges::reverse(origins);
    return origins;
  }
  rows.begin = std::max(rows.begin, card.lookback);
  for (std::size_t row = rows.begin; row + card.horizon <= rows.end; ++row) {
    origins.push_back(stamps[row - 1]);
  }
  return origins;
}

void add_past(const ReportMaterial& material, Session& session, report::ModelReport& out) {
  if (!material.scored || material.origins.empty()) return;
  Past(material, out).make(session);
}

}  // namespace pulsecast
