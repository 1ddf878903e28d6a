// Standings for programs: CSV and JSON.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pulsecast/benchmark/report.h"
#include "pulsecast/benchmark/report_text.h"

namespace pulsecast::benchmark {
namespace {

using Json = nlohmann::ordered_json;

Json mase_json(const std::vector<LagMase>& mase) {
  Json lags = Json::array();
  for (const LagMase& each : mase) {
    lags.push_back({{"lag", each.lag}, {"paper", each.paper}, {"usual", each.usual}});
  }
  return lags;
}

// Those of lag 1, which every dataset has; "" where there are none.
std::string mase_cells(const std::vector<LagMase>& mase) {
  return mase.empty() ? "," : fmt::format("{},{}", mase.front().usual, mase.front().paper);
}

Json standing_json(const std::string& name, const Standing& each) {
  return {{"model", name},
          {"seeds", each.seeds},
          {"mse", each.mse.mean},
          {"mse_spread", each.mse.spread},
          {"mse_rank", each.mse_rank},
          {"mae", each.mae.mean},
          {"mae_spread", each.mae.spread},
          {"mae_rank", each.mae_rank},
          {"mase", mase_json(each.mase)},
          {"weights", each.weights},
          {"flops", each.flops}};
}

Json test_json(const std::optional<DieboldMariano>& test) {
  if (!test) return nullptr;
  return {{"mean_difference", test->mean_difference},
          {"statistic", test->statistic},
          {"p_value", test->p_value},
          {"windows", test->windows}};
}

Json row_json(const Standings& standings, const StandingsRow& row) {
  Json models = Json::array();
  for (std::size_t column = 0; column < standings.columns.size(); ++column) {
    if (row.standings[column].seeds == 0) continue;
    models.push_back(standing_json(standings.columns[column], row.standings[column]));
  }
  Json baselines = Json::array();
  for (const BaselineScore& each : row.baselines) {
    baselines.push_back({{"name", each.name}, {"mse", each.mse}, {"mae", each.mae}});
  }
  return {{"dataset", row.dataset},
          {"horizon", row.horizon == 0 ? Json("mean") : Json(row.horizon)},
          {"windows", row.windows},
          {"models", models},
          {"baselines", baselines}};
}

}  // namespace

std::string to_csv(const Standings& standings) {
  std::string text =
      "dataset,horizon,model,seeds,mse,mse_spread,mae,mae_spread,mase,paper_mase,weights,flops\n";
  for (const StandingsRow& row : standings.rows) {
    const std::string place =
        fmt::format("{},{}", csv_cell(row.dataset), horizon_text(row.horizon));
    for (std::size_t column = 0; column < standings.columns.size(); ++column) {
      const Standing& each = row.standings[column];
      if (each.seeds == 0) continue;
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{}\n", place, csv_cell(standings.columns[column]),
                      each.seeds, each.mse.mean, each.mse.spread, each.mae.mean, each.mae.spread,
                      mase_cells(each.mase), each.weights, each.flops);
    }
    for (const BaselineScore& each : row.baselines) {
      text += fmt::format("{},{},,{},,{},,,,,\n", place, csv_cell(each.name), each.mse, each.mae);
    }
  }
  return text;
}

std::string to_json(const Standings& standings) {
  Json firsts = Json::array();
  for (std::size_t column = 0; column < standings.columns.size(); ++column) {
    firsts.push_back({{"model", standings.columns[column]},
                      {"mse", standings.mse_firsts[column]},
                      {"mae", standings.mae_firsts[column]}});
  }
  Json rows = Json::array();
  for (const StandingsRow& row : standings.rows) rows.push_back(row_json(standings, row));
  Json comparisons = Json::array();
  for (const Comparison& each : standings.comparisons) {
    comparisons.push_back({{"dataset", each.dataset},
                           {"horizon", each.horizon},
                           {"model", each.model},
                           {"against", each.original},
                           {"seeds", each.seeds},
                           {"mse_promotion_percent", each.mse_promotion},
                           {"mae_promotion_percent", each.mae_promotion},
                           {"squared", test_json(each.squared)},
                           {"absolute", test_json(each.absolute)}});
  }
  const Json document = {{"runs", standings.runs},
                         {"missing", standings.missing},
                         {"rows", rows},
                         {"times_first", firsts},
                         {"comparisons", comparisons}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace pulsecast::benchmark
