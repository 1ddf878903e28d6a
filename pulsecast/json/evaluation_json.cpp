#include "pulsecast/json/evaluation_json.h"

#include <nlohmann/json.hpp>

#include "pulsecast/json/range_json.h"

namespace pulsecast::json {
namespace {

using Json = nlohmann::ordered_json;

Json errors_json(const Errors& errors) {
  return {{"mse", errors.mse}, {"mae", errors.mae}, {"rmse", errors.rmse}};
}

Json table_json(const ErrorTable& table, const std::vector<std::string>& channels) {
  Json json = errors_json(table.overall);
  for (std::size_t c = 0; c < table.per_channel.size(); ++c) {
    Json entry = errors_json(table.per_channel[c]);
    entry["channel"] = channels[c];
    json["per_channel"].push_back(std::move(entry));
  }
  for (const Errors& errors : table.per_step) json["per_step"].push_back(errors_json(errors));
  return json;
}

Json scored_json(const Scored& scored, const std::vector<std::string>& channels) {
  Json mase = Json::array();
  for (const MaseAtLag& at : scored.mase) {
    mase.push_back({{"lag", at.lag},
                    {"paper", at.paper.overall},
                    {"usual", at.usual.overall},
                    {"usual_channels", at.usual.channels}});
  }
  return {{"name", scored.name},
          {"scaled", table_json(scored.scaled, channels)},
          {"original", table_json(scored.original, channels)},
          {"mase", mase}};
}

}  // namespace

Json evaluation_json(const Evaluation& evaluation, const std::vector<std::string>& channels) {
  Json baselines = Json::array();
  for (const Scored& baseline : evaluation.baselines) {
    baselines.push_back(scored_json(baseline, channels));
  }
  return {{"windows", evaluation.windows}, {"channels", evaluation.channels},
          {"horizon", evaluation.horizon}, {"model", scored_json(evaluation.model, channels)},
          {"baselines", baselines},        {"ranges", ranges_json(evaluation.ranges, channels)}};
}

}  // namespace pulsecast::json
