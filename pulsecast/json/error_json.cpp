#include "pulsecast/json/error_json.h"

#include <nlohmann/json.hpp>

namespace pulsecast::json {
namespace {

using Json = nlohmann::ordered_json;

Json remedy_json(const Remedy& remedy, const Words& words) {
  Json json{{"settings", Json::array()}};
  for (const Assignment& assignment : remedy.settings) {
    json["settings"].push_back(assignment_json(assignment));
  }
  if (remedy.action) json["action"] = name(*remedy.action);
  json["effect"] = remedy.effect;
  json["text"] = to_text(remedy, words);
  return json;
}

}  // namespace

Json assignment_json(const Assignment& assignment) {
  using Value = Assignment::Value;
  const bool has_value = assignment.kind == Value::kThis || assignment.kind == Value::kExample;
  Json json{{"name", assignment.setting},
            {"value", has_value ? Json(assignment.value) : Json(nullptr)}};
  if (assignment.kind == Value::kExample) json["example"] = true;
  if (assignment.kind == Value::kSmaller) json["smaller"] = true;
  return json;
}

Json error_json(const Error& error, const Words& words) {
  const Place& place = error.place();
  Json json{{"kind", name(error.kind())}, {"where", to_text(place, words)}};
  if (!place.source.empty()) json["source"] = place.source;
  if (place.line) json["line"] = *place.line;
  if (!place.column.empty()) json["column"] = place.column;
  if (!place.setting.empty()) json["setting"] = place.setting;
  json["message"] = error.message();
  json["remedies"] = Json::array();
  for (const Remedy& remedy : error.remedies()) {
    json["remedies"].push_back(remedy_json(remedy, words));
  }
  json["exit_code"] = exit_code(error.kind());
  return json;
}

}  // namespace pulsecast::json
