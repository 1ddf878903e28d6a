#include "bindings/c/model_text.h"

#include <nlohmann/json.hpp>

#include "bindings/c/settings_json.h"
#include "pulsecast/artifact/model_file.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/json/training_json.h"

namespace pulsecast::c {
namespace {

using Json = nlohmann::ordered_json;

Json range_json(const artifact::StampRange& range, const Zone& zone) {
  if (range.rows == 0) return nullptr;
  return {{"first", to_iso_text(range.first, zone)},
          {"last", to_iso_text(range.last, zone)},
          {"rows", range.rows}};
}

Json epochs_json(const std::vector<model::EpochRecord>& history) {
  Json list = Json::array();
  for (const model::EpochRecord& record : history) {
    list.push_back({{"epoch", record.epoch},
                    {"learning_rate", record.learning_rate},
                    {"training_loss", record.training_loss},
                    {"validation_mse", record.validation_mse},
                    {"seconds", record.seconds}});
  }
  return list;
}

}  // namespace

Json plan_json(const FitPlan& plan) {
  return {{"title", plan.title},       {"channels", plan.channels},
          {"lookback", plan.lookback}, {"horizon", plan.horizon},
          {"period", plan.period},     {"decisions", json::decisions_json(plan.decisions)}};
}

Json card_json(const Model& model) {
  const ModelCard& card = model.card();
  Json channels = Json::array();
  for (const artifact::ChannelInfo& channel : card.channels) {
    channels.push_back(
        {{"name", channel.name}, {"role", name(channel.role)}, {"constant", channel.is_constant}});
  }
  return {{"title", card.title},
          {"weights", card.weights},
          {"lookback", card.lookback},
          {"horizon", card.horizon},
          {"period", card.period},
          {"step", card.step.to_string()},
          {"zone", card.zone.name()},
          {"panel", model.inside().is_panel()},
          {"has_ranges", model.inside().ranges.has_value()},
          {"channels", std::move(channels)},
          {"settings", settings_json(card.settings)},
          {"data_source", card.origin.data_source},
          {"trained", range_json(card.origin.trained, card.zone)},
          {"validated", range_json(card.origin.validated, card.zone)},
          {"test", range_json(card.origin.test, card.zone)},
          {"refit", card.origin.is_refit},
          {"best_epoch", card.origin.best_epoch},
          {"best_validation", card.origin.best_validation},
          {"naive_validation", card.origin.naive_validation},
          {"seasonal_validation", card.origin.seasonal_validation},
          {"choices", card.origin.choices},
          {"warnings", card.origin.warnings},
          {"written_by", card.origin.written_by}};
}

Json fitted_json(const Model& model) {
  const FitSummary* fitted = model.fitted();
  if (fitted == nullptr) return nullptr;
  Json json = {{"decisions", json::decisions_json(fitted->decisions)},
               {"memory_bytes", fitted->memory},
               {"lanes", fitted->lanes},
               {"was_ended", fitted->was_ended},
               {"fault", nullptr},
               {"starts", nullptr},
               {"tried", json::tried_json(fitted->tried)},
               {"epochs", epochs_json(model.card().origin.history)},
               {"seconds", model.card().origin.seconds}};
  if (fitted->fault) {
    json["fault"] = {{"epoch", fitted->fault->epoch},
                     {"step", fitted->fault->step},
                     {"loss", fitted->fault->loss}};
  }
  if (fitted->starts) {
    json["starts"] = {{"warm", fitted->starts->warm},
                      {"fresh", fitted->starts->fresh},
                      {"is_warm", fitted->starts->is_warm}};
  }
  return json;
}

}  // namespace pulsecast::c
