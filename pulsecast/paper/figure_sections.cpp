// Figures, and tables of what is measured without a training.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/benchmark/window_errors.h"
#include "pulsecast/paper/anchors.h"
#include "pulsecast/paper/sections.h"
#include "pulsecast/paper/words.h"
#include "pulsecast/report/chart.h"

namespace pulsecast::paper {
namespace {

Want own_want(const std::string& dataset) {
  return {.model = std::string(kOwnModel), .dataset = dataset};
}

report::Drawing spectra_picture(const std::string& dataset, const AnchorView& view) {
  report::Chart chart{.title = fmt::format("{}: mean amplitude by frequency", dataset),
                      .x_label = "cycles a step",
                      .y_label = "amplitude of scaled values",
                      .has_marks = false};
  for (std::size_t i = 0; i < view.spectra.size(); ++i) {
    const auto& [name, spectrum] = view.spectra[i];
    report::ChartLine line{.name = name, .series = i};
    for (std::size_t f = 0; f < spectrum.frequencies.size(); ++f) {
      line.points.push_back({spectrum.frequencies[f], spectrum.amplitudes[f]});
    }
    chart.lines.push_back(std::move(line));
  }
  return report::draw(chart);
}

report::Drawing map_picture(const std::string& dataset, const AnchorView& view,
                            const AnchorView::Map& map) {
  report::Chart chart{.title = fmt::format("{}: {}, windows by likeness", dataset, map.name),
                      .x_label = "colour: hour at which the history ends",
                      .has_lines = false};
  for (std::size_t g = 0; g < view.groups.size(); ++g) {
    report::ChartLine line{.name = view.groups[g], .series = g};
    for (std::size_t w = 0; w < view.group_of.size(); ++w) {
      if (view.group_of[w] != g) continue;
      line.points.push_back({static_cast<double>(map.x[w]), static_cast<double>(map.y[w])});
    }
    if (!line.points.empty()) chart.lines.push_back(std::move(line));
  }
  return report::draw(chart);
}

// The original and the same inside PULSE over what came.
report::Drawing forecast_picture(const std::string& dataset, const std::string& model,
                                 const Material& material) {
  report::Chart chart{.title = fmt::format("{}: {}", dataset, model_words(model)),
                      .x_label = "steps from the forecast's start",
                      .y_label = "scaled value",
                      .has_marks = false};
  for (const std::string& name : {model, "pulse:" + model}) {
    const benchmark::RunRecord* record =
        material.findings.record_of({.model = name, .dataset = dataset});
    if (record == nullptr || record->errors.empty()) continue;
    const benchmark::ExampleWindow window =
        benchmark::read_errors(material.plan.request().out / record->errors).example;
    if (chart.lines.empty()) {
      report::ChartLine truth{.name = "what came", .is_quiet = true};
      const std::size_t shown = std::min(window.history.size(), window.truth.size());
      for (std::size_t i = 0; i < shown; ++i) {
        truth.points.push_back(
            {static_cast<double>(i) - static_cast<double>(shown),
             static_cast<double>(window.history[window.history.size() - shown + i])});
      }
      for (std::size_t h = 0; h < window.truth.size(); ++h) {
        truth.points.push_back({static_cast<double>(h), static_cast<double>(window.truth[h])});
      }
      chart.lines.push_back(std::move(truth));
    }
    report::ChartLine line{.name = model_words(name), .series = name == model ? 1u : 0u};
    for (std::size_t h = 0; h < window.forecast.size(); ++h) {
      line.points.push_back({static_cast<double>(h), static_cast<double>(window.forecast[h])});
    }
    chart.lines.push_back(std::move(line));
  }
  return report::draw(chart);
}

template <typename Picture>
void add_pictures(const Material& material, std::vector<Block>& out, Picture picture) {
  bool is_empty = true;
  std::vector<std::string> missing;
  for (const std::string_view name : ablated_datasets()) {
    const std::string dataset(name);
    if (!material.plan.has(dataset)) {
      missing.push_back(dataset);
      continue;
    }
    Pictures pictures;
    for (report::Drawing& drawing : picture(dataset)) {
      if (!drawing.is_empty()) pictures.drawings.push_back(std::move(drawing));
    }
    if (pictures.drawings.empty()) continue;
    out.push_back(Heading{dataset});
    out.push_back(std::move(pictures));
    is_empty = false;
  }
  if (is_empty) out.push_back(Paragraph{"None of its runs is done."});
  if (!missing.empty()) out.push_back(Paragraph{missing_words(missing, material.plan)});
}

}  // namespace

void add_anchors(const Material& material, std::vector<Block>& out) {
  add_pictures(material, out, [&](const std::string& dataset) {
    std::vector<report::Drawing> drawings;
    const benchmark::RunRecord* record = material.findings.record_of(own_want(dataset));
    if (record == nullptr) return drawings;
    const auto view = read_anchors(anchor_file(material.plan.request().out, record->key));
    if (!view) return drawings;
    drawings.push_back(spectra_picture(dataset, *view));
    for (const AnchorView::Map& map : view->maps) {
      drawings.push_back(map_picture(dataset, *view, map));
    }
    return drawings;
  });
}

void add_forecasts(const Material& material, std::vector<Block>& out) {
  add_pictures(material, out, [&](const std::string& dataset) {
    std::vector<report::Drawing> drawings;
    for (const std::string_view model : pictured_models()) {
      if (model.starts_with("pulse:")) continue;  // stands beside its original
      drawings.push_back(forecast_picture(dataset, std::string(model), material));
    }
    return drawings;
  });
}

void add_costs(const Material& material, std::vector<Block>& out) {
  Table table{.caption =
                  "One window's forecast at look-back and horizon 96 on one thread; the "
                  "paper's latency and memory are of a graphics card",
              .words = 2};
  table.heading = {"dataset", "model", "MSE", "MAE", "weights", "MFLOP", "ms", "MB"};
  std::vector<std::string> missing;
  for (const CostCell& cell : cost_cells()) {
    if (!material.plan.has(cell.dataset)) {
      if (missing.empty() || missing.back() != cell.dataset) missing.push_back(cell.dataset);
      continue;
    }
    const Ours ours = material.findings.of(wants_of(cell.model, cell.dataset, kLookback, "", 0));
    const benchmark::Cost cost = material.measuring.cost(cell.model, cell.dataset);
    constexpr double kMega = 1e6;
    table.rows.push_back(
        {{cell.dataset},
         {model_words(cell.model)},
         compared(ours.mse, ours.seeds, cell.mse),
         compared(ours.mae, ours.seeds, cell.mae),
         {std::to_string(cost.weights)},
         {fmt::format("{:.1f}", static_cast<double>(cost.operations) / kMega)},
         {fmt::format("{:.3f}", cost.milliseconds), fmt::format("paper {:.3f}", cell.milliseconds)},
         {fmt::format("{:.1f}", static_cast<double>(cost.bytes) / kMega),
          fmt::format("paper {:.0f}", 1000.0 * cell.gigabytes)}});
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (!table.rows.empty()) out.push_back(std::move(table));
  if (!missing.empty()) out.push_back(Paragraph{missing_words(missing, material.plan)});
}

void add_mismatch(const Material& material, std::vector<Block>& out) {
  Table table{.caption = "Means over every window of the training rows and channels", .words = 1};
  table.heading = {"dataset", "H", "mean shift", "deviation shift", "spectral mismatch"};
  std::vector<std::string> missing;
  for (const MismatchCell& cell : mismatch_cells()) {
    if (!material.plan.has(cell.dataset)) {
      if (cell.horizon == kHorizons[0]) missing.push_back(cell.dataset);
      continue;
    }
    const Mismatch ours = material.measuring.mismatch(cell.dataset, cell.horizon);
    table.rows.push_back(
        {{cell.dataset},
         {std::to_string(cell.horizon)},
         compared({ours.mean_shift, 0.0}, std::isfinite(ours.mean_shift) ? 1 : 0, cell.mean_shift),
         compared({ours.deviation_shift, 0.0}, std::isfinite(ours.deviation_shift) ? 1 : 0,
                  cell.deviation_shift),
         compared({ours.spectral, 0.0}, std::isfinite(ours.spectral) ? 1 : 0, cell.spectral)});
  }
  if (!table.rows.empty()) out.push_back(std::move(table));
  if (!missing.empty()) out.push_back(Paragraph{missing_words(missing, material.plan)});
}

}  // namespace pulsecast::paper
