#include "pulsecast/paper/report_data.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pulsecast/benchmark/report_text.h"

namespace pulsecast::paper {
namespace {

using Json = nlohmann::ordered_json;

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// The cells of the parts that are asked for.
template <typename Body>
void for_each_cell(const Plan& plan, Body body) {
  for (const Part* part : plan.parts()) {
    for (const ErrorTable& table : part->tables) {
      for (const Cell& cell : cells()) {
        if (cell.table == table.name) body(cell);
      }
    }
  }
}

Json ours_json(const Ours& ours, double mase) {
  if (!ours) return nullptr;
  return {{"seeds", ours.seeds},  {"mse", ours.mse.mean},          {"mse_spread", ours.mse.spread},
          {"mae", ours.mae.mean}, {"mae_spread", ours.mae.spread}, {"mase", number(mase)}};
}

double mase_or_none(const Cell& cell, const Material& material) {
  return std::isfinite(cell.paper.mase) ? mase_of(cell, material) : cell.paper.mase;
}

}  // namespace

std::string to_csv(const Material& material) {
  std::string text =
      "table,dataset,lookback,horizon,model,setting,paper_mse,paper_mae,paper_mase,seeds,mse,"
      "mse_spread,mae,mae_spread,mase,mse_ratio,mae_ratio\n";
  for_each_cell(material.plan, [&](const Cell& cell) {
    text += fmt::format("{},{},{},{},{},{},{},{},{}", cell.table, cell.dataset, cell.lookback,
                        benchmark::horizon_text(cell.horizon), cell.model, cell.setting,
                        csv_number(cell.paper.mse), csv_number(cell.paper.mae),
                        csv_number(cell.paper.mase));
    const Ours ours = material.findings.of(cell);
    if (!ours) {
      text += ",0,,,,,,,\n";
      return;
    }
    text += fmt::format(",{},{},{},{},{},{},{},{}\n", ours.seeds, ours.mse.mean, ours.mse.spread,
                        ours.mae.mean, ours.mae.spread, csv_number(mase_or_none(cell, material)),
                        csv_number(ours.mse.mean / cell.paper.mse),
                        csv_number(ours.mae.mean / cell.paper.mae));
  });
  return text;
}

std::string to_json(const Material& material, const Count& count) {
  Json all = Json::array();
  for_each_cell(material.plan, [&](const Cell& cell) {
    const Ours ours = material.findings.of(cell);
    all.push_back({{"table", cell.table},
                   {"dataset", cell.dataset},
                   {"lookback", cell.lookback},
                   {"horizon", benchmark::horizon_text(cell.horizon)},
                   {"model", cell.model},
                   {"setting", cell.setting},
                   {"paper",
                    {{"mse", number(cell.paper.mse)},
                     {"mae", number(cell.paper.mae)},
                     {"mase", number(cell.paper.mase)}}},
                   {"ours", ours_json(ours, ours ? mase_or_none(cell, material) : 0.0)},
                   {"has_data", material.plan.has(cell.dataset)}});
  });
  Json files = Json::array();
  for (const DatasetCheck& check : material.plan.files()) {
    files.push_back({{"dataset", check.dataset->name},
                     {"file", check.dataset->file},
                     {"verdict", name(check.verdict)},
                     {"detail", check.detail}});
  }
  const Json document = {{"cells_filled", count.filled},
                         {"cells", count.cells},
                         {"cells_without_data", count.without_data},
                         {"runs", material.findings.runs()},
                         {"files", files},
                         {"errors", all}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pulsecast::paper
