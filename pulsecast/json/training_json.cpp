#include "pulsecast/json/training_json.h"

#include <nlohmann/json.hpp>

namespace pulsecast::json {

using Json = nlohmann::ordered_json;

Json decisions_json(std::span<const train::Decision> decisions) {
  Json list = Json::array();
  for (const train::Decision& decision : decisions) {
    list.push_back({{"what", decision.what}, {"value", decision.value}, {"why", decision.why}});
  }
  return list;
}

Json tried_json(std::span<const train::Tried> tried) {
  Json list = Json::array();
  for (const train::Tried& each : tried) {
    list.push_back({{"candidate", each.name},
                    {"validation_mse", each.validation_mse},
                    {"share", each.share},
                    {"steps", each.steps},
                    {"seconds", each.seconds}});
  }
  return list;
}

}  // namespace pulsecast::json
