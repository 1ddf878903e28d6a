#include "pulsecast/json/check_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/remedies.h"
#include "pulsecast/json/error_json.h"

namespace pulsecast::json {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json period_json(const PeriodCandidate& period) {
  return {{"steps", period.lag}, {"strength", number(period.strength)}};
}

}  // namespace

Json check_json(const Diagnosis& diagnosis, const Zone& zone, const train::Rehearsal& outcome,
                const Words& words) {
  Json json;
  json["file"] = diagnosis.source;
  json["clean"] = diagnosis.is_clean();
  json["rows"] = diagnosis.rows;
  json["series"] = diagnosis.series;
  for (const auto& column : diagnosis.columns) {
    json["columns"].push_back(
        {{"name", column.name}, {"role", name(column.role)}, {"missing", column.missing}});
  }
  json["time_zone"] = diagnosis.zone;
  json["first"] = diagnosis.first ? Json(to_iso_text(*diagnosis.first, zone)) : Json(nullptr);
  json["last"] = diagnosis.last ? Json(to_iso_text(*diagnosis.last, zone)) : Json(nullptr);
  json["step"] = nullptr;
  if (diagnosis.frequency) {
    json["step"] = {{"step", diagnosis.frequency->step.to_string()},
                    {"agreement", number(diagnosis.frequency->agreement())}};
  }
  json["period"] = diagnosis.period.period ? period_json(*diagnosis.period.period) : Json(nullptr);
  json["period_candidates"] = Json::array();
  for (const PeriodCandidate& candidate : diagnosis.period.candidates) {
    json["period_candidates"].push_back(period_json(candidate));
  }
  json["notes"] = diagnosis.notes;
  json["findings"] = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    json["findings"].push_back({{"kind", name(finding.kind)},
                                {"series", finding.series},
                                {"column", finding.column},
                                {"first_line", finding.first_line},
                                {"last_line", finding.last_line},
                                {"count", finding.count},
                                {"cause", finding.cause},
                                {"remedy", means_text(remedies_of(finding), words)}});
  }
  json["remedies"] = Json::array();
  for (const Remedy& remedy : diagnosis.remedies) {
    Json settings = Json::array();
    for (const Assignment& assignment : remedy.settings)
      settings.push_back(assignment_json(assignment));
    json["remedies"].push_back({{"flag", means_text(remedy, words)},
                                {"settings", std::move(settings)},
                                {"effect", remedy.effect}});
  }
  json["summary"] = Json::array();
  for (const Diagnosis::KindSummary& kind : diagnosis.summary) {
    Json worst = Json::array();
    for (const auto& [series, count] : kind.worst) {
      worst.push_back({{"series", series}, {"count", count}});
    }
    json["summary"].push_back({{"kind", name(kind.kind)},
                               {"series", kind.series},
                               {"count", kind.count},
                               {"worst", std::move(worst)}});
  }
  json["ready"] = !outcome.refusal;
  json["refusal"] = outcome.refusal ? Json(to_text(*outcome.refusal, words)) : Json(nullptr);
  json["training_windows"] = outcome.training_windows;
  json["validation_windows"] = outcome.validation_windows;
  json["repairs"] = outcome.repaired ? Json(outcome.repaired->repairs) : Json::array();
  return json;
}

}  // namespace pulsecast::json
