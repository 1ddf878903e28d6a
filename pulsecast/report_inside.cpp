// What a model sees, for its page: windows taken apart, the codebook, maps of anchors, spectra.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/pool_of.h"
#include "pulsecast/report/tsne.h"
#include "pulsecast/report_parts.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMapWindows = 1000;
constexpr std::size_t kMapSize = 1024;  // values of a window that are compared
constexpr std::size_t kSpectrumWindows = 200;
constexpr std::size_t kSpectrumChannels = 8;
constexpr std::size_t kCodebookChannels = 60;

using report::ModelReport;

std::vector<double> in_units(std::span<const float> values, const Inside::Row& row) {
  std::vector<double> out;
  for (const float value : values) out.push_back(row.level + row.unit * static_cast<double>(value));
  return out;
}

void add_windows(const ReportMaterial& material, ModelReport& out) {
  const bool is_panel = material.model->inside().is_panel();
  const Inside inside =
      material.model->look_inside(material.rows,
                                  {.part = material.scored ? material.part : Part::kAll,
                                   .most_windows = is_panel ? material.shown.channels : 1},
                                  material.options.threads, material.options.watch);
  const std::size_t T = inside.lookback;
  const std::size_t H = inside.horizon;
  const Step step = material.rows.step();
  for (std::size_t r = 0; r < std::min(inside.rows.size(), material.shown.channels); ++r) {
    const Inside::Row& row = inside.rows[r];
    if (!row.is_present) continue;
    const auto of = [&](const std::vector<float>& values, std::size_t length) {
      return in_units(std::span(values).subspan(r * length, length), row);
    };
    report::WindowReport window{.name = material.rows.name(material.targets[row.channel])};
    window.values = of(inside.history, T);
    const std::vector<double> truth = of(inside.truth, H);
    window.values.insert(window.values.end(), truth.begin(), truth.end());
    window.past_anchor = of(inside.past_anchor, T);
    window.anchor = of(inside.anchor, H);
    if (inside.has_router) window.routed = of(inside.routed, H);
    window.forecast = of(inside.forecast, H);
    window.mean = row.unit * static_cast<double>(row.mean);
    window.deviation = row.unit * static_cast<double>(row.deviation);
    for (std::size_t i = 0; i < T + H; ++i) {
      window.stamps.push_back(
          step.add(row.cutoff, static_cast<std::int64_t>(i) - static_cast<std::int64_t>(T) + 1,
                   material.rows.zone()));
    }
    out.windows.push_back(std::move(window));
  }
}

void add_codebook(const ReportMaterial& material, ModelReport& out) {
  const std::optional<Codebook> book = material.model->codebook();
  if (!book) return;
  const bool is_shared = book->channels < material.targets.size();  // of a panel
  const std::size_t shown = std::min(book->channels, kCodebookChannels);
  out.codebook.phases = book->phases;
  for (std::size_t c = 0; c < shown; ++c) {
    out.codebook.channels.push_back(is_shared ? "all series"
                                              : material.rows.name(material.targets[c]));
    for (std::size_t p = 0; p < book->phases; ++p) {
      out.codebook.levels.push_back(book->levels[p * book->channels + c]);
    }
  }
  const bool is_day = out.steps_a_day == static_cast<double>(book->phases);
  out.codebook.phase_name =
      !book->is_in_order_of_time
          ? fmt::format("of its {} rows, which move with the window", book->phases)
          : fmt::format("phase of {}{}", counted(book->phases, "step"), is_day ? " (a day)" : "");
}

struct Grouping {
  std::string by;
  std::vector<std::string> groups;
  std::size_t (*group_of)(const WallTime&);
};

// By the season where the windows span most of a year, else by the time of day.
Grouping grouping_of(const Inside& inside, bool has_hours) {
  const auto [first, last] = std::ranges::minmax(inside.rows, {}, &Inside::Row::cutoff);
  constexpr std::int64_t kMostOfAYear = std::int64_t{200} * 24 * 3600 * 1000;
  if (has_hours && last.cutoff.milliseconds - first.cutoff.milliseconds < kMostOfAYear) {
    return {"time of day at which the window ends",
            {"0 to 6 h", "6 to 12 h", "12 to 18 h", "18 to 24 h"},
            [](const WallTime& wall) { return static_cast<std::size_t>(wall.hour) / 6; }};
  }
  return {"season in which the window ends",
          {"December to February", "March to May", "June to August", "September to November"},
          [](const WallTime& wall) { return static_cast<std::size_t>(wall.month) % 12 / 3; }};
}

void add_maps(const ReportMaterial& material, ModelReport& out) {
  const ModelCard& card = material.model->card();
  const std::size_t longest = std::max(card.lookback, card.horizon);
  const Inside inside =
      material.model->look_inside(material.rows,
                                  {.part = Part::kAll,
                                   .most_windows = kMapWindows,
                                   .most_channels = std::max<std::size_t>(1, kMapSize / longest)},
                                  material.options.threads, material.options.watch);
  constexpr std::size_t kFewest = 12;
  if (inside.windows < kFewest) return;
  PoolOf threads(material.options.threads);
  const auto map = [&](const char* name, const std::vector<float>& values, std::size_t length) {
    report::PlanePlaces places = report::tsne(values, inside.windows, inside.channels * length,
                                              threads.pool(), {.watch = material.options.watch});
    out.maps.maps.push_back({name, std::move(places.x), std::move(places.y)});
  };
  map("anchors of the past", inside.past_anchor, inside.lookback);
  map("anchors of the future, generated", inside.anchor, inside.horizon);
  const Grouping grouping = grouping_of(inside, out.steps_a_day > 1.0);
  out.maps.grouped_by = grouping.by;
  out.maps.groups = grouping.groups;
  for (std::size_t w = 0; w < inside.windows; ++w) {
    const Instant cutoff = inside.rows[w * inside.channels].cutoff;
    out.maps.cutoffs.push_back(cutoff);
    out.maps.group_of.push_back(grouping.group_of(material.rows.zone().to_wall(cutoff)));
  }
}

void add_spectra(const ReportMaterial& material, ModelReport& out) {
  const Inside inside =
      material.model->look_inside(material.rows,
                                  {.part = material.scored ? material.part : Part::kAll,
                                   .most_windows = kSpectrumWindows,
                                   .most_channels = kSpectrumChannels},
                                  material.options.threads, material.options.watch);
  const auto add = [&](const char* name, const std::vector<float>& values, std::size_t length) {
    std::vector<float> present;
    for (std::size_t r = 0; r < inside.rows.size(); ++r) {
      if (!inside.rows[r].is_present) continue;
      const auto own = std::span(values).subspan(r * length, length);
      present.insert(present.end(), own.begin(), own.end());
    }
    report::Spectrum spectrum = report::mean_spectrum(present, length);
    if (!spectrum.frequencies.empty()) out.spectra.push_back({name, std::move(spectrum)});
  };
  add("history", inside.history, inside.lookback);
  add("future as it came", inside.truth, inside.horizon);
  add("future as forecast", inside.forecast, inside.horizon);
  if (inside.has_anchor) add("future anchor", inside.anchor, inside.horizon);
}

}  // namespace

void add_inside(const ReportMaterial& material, ModelReport& out) {
  add_spectra(material, out);
  if (!material.model->codebook()) {
    out.left_out.push_back(fmt::format(
        "{} has no phase anchor: there is no window to take apart, no codebook and no map of "
        "anchors.",
        material.model->card().title));
    return;
  }
  add_windows(material, out);
  add_codebook(material, out);
  add_maps(material, out);
}

}  // namespace pulsecast
