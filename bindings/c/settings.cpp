#include "pulsecast/settings/settings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bindings/c/call.h"
#include "bindings/c/handles.h"
#include "bindings/c/settings_json.h"
#include "pulsecast/settings/catalogue.h"

using namespace pulsecast;

namespace pulsecast::c {
namespace {

using Json = nlohmann::ordered_json;

Json declaration_json(const SettingInfo& info) {
  Json choices = Json::array();
  for (const SettingInfo::Option& option : info.choices) {
    choices.push_back({{"name", option.name}, {"meaning", option.meaning}});
  }
  return {
      {"section", info.section},     {"group", info.group},       {"name", info.name},
      {"meaning", info.meaning},     {"expected", info.expected}, {"default", info.default_text},
      {"is_switch", info.is_switch}, {"is_list", info.is_list},   {"choices", std::move(choices)}};
}

}  // namespace

Json settings_json(const Settings& settings) {
  Settings copy = settings;
  Json json = Json::object();
  for (const BoundSetting& setting : bind_all(copy)) {
    const std::vector<std::string> values = setting.values();
    if (values.empty()) continue;
    json[fmt::format("{}.{}", setting.info->section, setting.info->name)] =
        setting.info->is_list ? Json(values) : Json(values.front());
  }
  return json;
}

}  // namespace pulsecast::c

pulsecast_status pulsecast_settings_new(pulsecast_settings** settings, pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(settings, "settings");
    out = new pulsecast_settings{};
  });
}

pulsecast_status pulsecast_settings_set(pulsecast_settings* settings, const char* name,
                                        const char* value, pulsecast_error** error) {
  return c::call(error, [&] {
    assign(c::given(settings, "settings").settings, c::text(name, "name"), c::text(value, "value"));
  });
}

pulsecast_status pulsecast_settings_set_list(pulsecast_settings* settings, const char* name,
                                             const char* const* values, size_t count,
                                             pulsecast_error** error) {
  return c::call(error, [&] {
    c::many(values, count, "values");
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) texts.emplace_back(c::text(values[i], "values"));
    assign(c::given(settings, "settings").settings, c::text(name, "name"), texts);
  });
}

pulsecast_status pulsecast_settings_json(const pulsecast_settings* settings, char** json,
                                         pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(json, "json");
    out = c::text_of(c::settings_json(c::given(settings, "settings").settings));
  });
}

pulsecast_status pulsecast_settings_of_model(const pulsecast_model* model,
                                             pulsecast_settings** settings,
                                             pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(settings, "settings");
    out = new pulsecast_settings{c::given(model, "model").model->card().settings};
  });
}

pulsecast_status pulsecast_settings_for_reading(const pulsecast_model* model,
                                                pulsecast_settings** settings,
                                                pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(settings, "settings");
    const Model& own = *c::given(model, "model").model;
    Settings all = own.card().settings;
    all.data = own.reading_settings();
    out = new pulsecast_settings{std::move(all)};
  });
}

void pulsecast_settings_free(pulsecast_settings* settings) { delete settings; }

pulsecast_status pulsecast_settings_catalogue(char** json, pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(json, "json");
    Settings settings;
    c::Json list = c::Json::array();
    for (const BoundSetting& setting : bind_all(settings)) {
      list.push_back(c::declaration_json(*setting.info));
    }
    out = c::text_of(list);
  });
}
