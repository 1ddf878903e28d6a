// Tables of errors beside the paper's, and errors against a setting.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "pulsecast/paper/sections.h"
#include "pulsecast/paper/words.h"
#include "pulsecast/report/chart.h"

namespace pulsecast::paper {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

template <typename T>
void add_once(std::vector<T>& all, const T& value) {
  if (std::ranges::find(all, value) == all.end()) all.push_back(value);
}

// Which errors a table has.
struct Measures {
  bool errors = false;  // MSE and MAE
  bool mase = false;

  std::size_t count() const { return (errors ? 2u : 0u) + (mase ? 1u : 0u); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    if (errors) all = {"MSE", "MAE"};
    if (mase) all.emplace_back("MASE");
    return all;
  }
};

Measures measures_of(const std::vector<const Cell*>& cells) {
  Measures measures;
  for (const Cell* cell : cells) {
    measures.errors = measures.errors || std::isfinite(cell->paper.mse);
    measures.mase = measures.mase || std::isfinite(cell->paper.mase);
  }
  return measures;
}

void add_cell(const Cell& cell, const Measures& measures, const Material& material,
              std::vector<TableCell>& row) {
  const Ours ours = material.findings.of(cell);
  if (measures.errors) {
    row.push_back(compared(ours.mse, ours.seeds, cell.paper.mse));
    row.push_back(compared(ours.mae, ours.seeds, cell.paper.mae));
  }
  if (measures.mase) {
    const double mase = mase_of(cell, material);
    row.push_back(compared({mase, 0.0}, std::isfinite(mase) ? 1 : 0, cell.paper.mase));
  }
}

std::string row_words(const Cell& cell, bool has_lookbacks) {
  std::string words = model_words(cell.model);
  if (!cell.setting.empty()) words += ", " + setting_words(cell.setting);
  return has_lookbacks ? fmt::format("T {}, {}", cell.lookback, words) : words;
}

bool is_same_row(const Cell& a, const Cell& b) {
  return a.model == b.model && a.setting == b.setting && a.lookback == b.lookback;
}

// The mean over the horizons of a row; only where every one is there.
void add_mean(const std::vector<const Cell*>& row_cells, const Material& material,
              std::vector<TableCell>& row) {
  std::vector<Want> wants;
  double mse = 0.0, mae = 0.0;
  const auto count = static_cast<double>(row_cells.size());
  for (const Cell* cell : row_cells) {
    for (Want& want :
         wants_of(cell->model, cell->dataset, cell->lookback, cell->setting, cell->horizon)) {
      wants.push_back(std::move(want));
    }
    mse += cell->paper.mse / count;
    mae += cell->paper.mae / count;
  }
  const Ours ours = material.findings.of(wants);
  row.push_back(compared(ours.mse, ours.seeds, mse));
  row.push_back(compared(ours.mae, ours.seeds, mae));
}

Table table_of_dataset(const std::vector<const Cell*>& cells, const std::string& caption,
                       const Material& material) {
  const Measures measures = measures_of(cells);
  std::vector<std::int64_t> horizons;
  for (const Cell* cell : cells) add_once(horizons, cell->horizon);
  Table table{.caption = caption};
  table.above = {{"", 1}};
  table.heading = {"model"};
  const auto add_columns = [&](const std::string& name, const std::vector<std::string>& kinds) {
    table.above.emplace_back(name, kinds.size());
    table.heading.insert(table.heading.end(), kinds.begin(), kinds.end());
  };
  for (const std::int64_t horizon : horizons) {
    add_columns(fmt::format("H = {}", horizon), measures.names());
  }
  if (measures.errors) add_columns("mean", {"MSE", "MAE"});
  std::vector<const Cell*> done;
  for (const Cell* first : cells) {
    const auto same = [&](const Cell* other) { return is_same_row(*first, *other); };
    if (std::ranges::any_of(done, same)) continue;
    done.push_back(first);
    std::vector<TableCell> row = {{row_words(*first, false)}};
    std::vector<const Cell*> own;
    for (const Cell* cell : cells) {
      if (!same(cell)) continue;
      own.push_back(cell);
      add_cell(*cell, measures, material, row);
    }
    if (measures.errors) add_mean(own, material, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table table_of_means(const std::vector<const Cell*>& cells, const std::string& caption,
                     const Material& material) {
  const Measures measures = measures_of(cells);
  std::vector<std::string> datasets;
  std::vector<std::int64_t> lookbacks;
  for (const Cell* cell : cells) {
    if (material.plan.has(cell->dataset)) add_once(datasets, cell->dataset);
    add_once(lookbacks, cell->lookback);
  }
  Table table{.caption = caption};
  table.above = {{"", 1}};
  table.heading = {"model"};
  for (const std::string& dataset : datasets) {
    table.above.emplace_back(dataset, measures.count());
    for (const std::string& name : measures.names()) table.heading.push_back(name);
  }
  std::vector<const Cell*> done;
  for (const Cell* first : cells) {
    const auto same = [&](const Cell* other) { return is_same_row(*first, *other); };
    if (std::ranges::any_of(done, same)) continue;
    done.push_back(first);
    std::vector<TableCell> row = {{row_words(*first, lookbacks.size() > 1)}};
    for (const std::string& dataset : datasets) {
      for (const Cell* cell : cells) {
        if (same(cell) && cell->dataset == dataset) add_cell(*cell, measures, material, row);
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Drawing curve_picture(const Curve& curve, const std::string& dataset,
                              const Material& material) {
  report::Chart chart{.title = fmt::format("{}: {}", dataset, curve.title),
                      .x_label = std::string(curve.setting),
                      .y_label = "MSE",
                      .log_x = true};
  report::ChartLine line{.name = "PULSE"};
  for (const std::string_view value : curve.values) {
    const Ours ours = material.findings.of({want_of(curve, dataset, value)});
    if (!ours) continue;
    double x = 0.0;
    std::from_chars(value.data(), value.data() + value.size(), x);
    chart.x_ticks.push_back(x);
    line.points.push_back({x, ours.mse.mean, ours.mse.spread});
  }
  if (!line.points.empty()) chart.lines.push_back(std::move(line));
  return report::draw(chart);
}

void add_curve(const Curve& curve, const Material& material, std::vector<Block>& out) {
  Table table{.caption = fmt::format("{}: test MSE at horizon {}", curve.title, curve.horizon)};
  table.heading = {"dataset"};
  for (const std::string_view value : curve.values) table.heading.emplace_back(value);
  Pictures pictures;
  std::vector<std::string> missing;
  for (const std::string_view name : curve.datasets) {
    const std::string dataset(name);
    if (!material.plan.has(dataset)) {
      missing.push_back(dataset);
      continue;
    }
    std::vector<TableCell> row = {{dataset}};
    for (const std::string_view value : curve.values) {
      const Ours ours = material.findings.of({want_of(curve, dataset, value)});
      row.push_back(compared(ours.mse, ours.seeds, kNothing));
    }
    table.rows.push_back(std::move(row));
    report::Drawing picture = curve_picture(curve, dataset, material);
    if (!picture.is_empty()) pictures.drawings.push_back(std::move(picture));
  }
  out.push_back(Heading{std::string(curve.title)});
  if (!table.rows.empty()) out.push_back(std::move(table));
  if (!pictures.drawings.empty()) out.push_back(std::move(pictures));
  if (!missing.empty()) out.push_back(Paragraph{missing_words(missing, material.plan)});
}

}  // namespace

double mase_of(const Cell& cell, const Material& material) {
  const std::size_t lag = mase_lag(cell);
  double sum = 0.0;
  std::size_t count = 0;
  for (const Want& want :
       wants_of(cell.model, cell.dataset, cell.lookback, cell.setting, cell.horizon)) {
    const benchmark::RunRecord* record = material.findings.record_of(want);
    if (record == nullptr) return kNothing;
    const auto own = std::ranges::find(record->mase, lag, &benchmark::LagMase::lag);
    if (own == record->mase.end() && !material.plan.has(cell.dataset)) return kNothing;
    sum += own != record->mase.end()
               ? own->paper
               : record->mae / material.measuring.lag_difference(cell.dataset, lag);
    ++count;
  }
  return sum / static_cast<double>(count);
}

std::string missing_words(const std::vector<std::string>& datasets, const Plan& plan) {
  std::string missing, left;
  for (const std::string& dataset : datasets) {
    std::string& words = plan.is_left_out(dataset) ? left : missing;
    words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", dataset,
                         plan.file_of(dataset).dataset->file);
  }
  std::string text;
  if (!missing.empty()) text = fmt::format("No file: {}.", missing);
  if (!left.empty()) text += fmt::format("{}Left out: {}.", text.empty() ? "" : " ", left);
  return text;
}

void add_error_table(const ErrorTable& table, const Material& material, std::vector<Block>& out) {
  std::vector<const Cell*> all;
  std::vector<std::string> datasets, missing;
  for (const Cell& cell : cells()) {
    if (cell.table != table.name) continue;
    all.push_back(&cell);
    add_once(material.plan.has(cell.dataset) ? datasets : missing, cell.dataset);
  }
  const std::string title(table.title);
  out.push_back(Heading{title});
  if (table.layout == Layout::kByDataset && !datasets.empty()) {
    out.push_back(table_of_means(all, title, material));
  }
  if (table.layout == Layout::kByHorizon) {
    for (const std::string& dataset : datasets) {
      std::vector<const Cell*> own;
      for (const Cell* cell : all) {
        if (cell->dataset == dataset) own.push_back(cell);
      }
      out.push_back(table_of_dataset(own, fmt::format("{}: {}", dataset, title), material));
    }
  }
  if (!missing.empty()) out.push_back(Paragraph{missing_words(missing, material.plan)});
}

void add_curves(const std::vector<Curve>& curves, const Material& material,
                std::vector<Block>& out) {
  for (const Curve& curve : curves) add_curve(curve, material, out);
}

}  // namespace pulsecast::paper
