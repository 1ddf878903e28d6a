#include "pulsecast/json/model_json.h"

#include <nlohmann/json.hpp>

#include "pulsecast/artifact/column_effects.h"
#include "pulsecast/artifact/metadata.h"

namespace pulsecast::json {
namespace {

using Json = nlohmann::ordered_json;

Json effects_json(const artifact::Model& model) {
  Json list = Json::array();
  for (const artifact::ColumnEffect& each : artifact::effects_of(model)) {
    list.push_back({{"column", each.column},
                    {"of", each.target},
                    {"from", each.range.low},
                    {"to", each.range.high},
                    {"change", each.change.mean},
                    {"least", each.change.least},
                    {"largest", each.change.largest}});
  }
  return list;
}

Json statics_json(const StaticProfiles& profiles) {
  Json list = Json::array();
  for (std::size_t k = 0; k < profiles.columns().size(); ++k) {
    const StaticGroups& groups = profiles.columns()[k];
    Json of_groups = Json::array();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      of_groups.push_back({{"group", groups.label(g)}, {"profile", profiles.of_group(k, g)}});
    }
    list.push_back({{"column", groups.column}, {"groups", std::move(of_groups)}});
  }
  return list;
}

}  // namespace

Json model_json(const artifact::Model& model) {
  Json json = Json::parse(artifact::encode_metadata(model));
  json["weights"] = model.ensemble.learned_count();
  if (model.effects) json["effects"] = effects_json(model);
  if (model.profiles) json["statics"] = statics_json(*model.profiles);
  return json;
}

}  // namespace pulsecast::json
