#include "pulsecast/json/backtest_json.h"

#include <nlohmann/json.hpp>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/json/range_json.h"

namespace pulsecast::json {
namespace {

using Json = nlohmann::ordered_json;

Json errors_json(const BacktestErrors& errors) {
  return {{"mse", errors.mse},
          {"mae", errors.mae},
          {"rmse", errors.rmse},
          {"bias", errors.bias},
          {"smape", errors.smape},
          {"mae_units", errors.mae_units},
          {"rmse_units", errors.rmse_units},
          {"bias_units", errors.bias_units},
          {"values", errors.values}};
}

Json contender_json(const BacktestContender& contender, const std::vector<std::string>& channels) {
  Json json = {{"name", contender.name}, {"overall", errors_json(contender.overall)}};
  for (const ScaledByLag& at : contender.scaled) {
    json["scaled_by_lag"].push_back({{"lag", at.lag}, {"mase", at.mase}, {"rmsse", at.rmsse}});
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    Json entry = errors_json(contender.per_channel[c]);
    entry["channel"] = channels[c];
    json["per_channel"].push_back(std::move(entry));
  }
  for (const BacktestErrors& errors : contender.per_step) {
    json["per_step"].push_back(errors_json(errors));
  }
  for (const MonthErrors& month : contender.per_month) {
    Json entry = errors_json(month.errors);
    entry["month"] = month.month;
    json["per_month"].push_back(std::move(entry));
  }
  if (contender.beside) {
    json["diebold_mariano"] = {{"mean_difference", contender.beside->mean_difference},
                               {"statistic", contender.beside->statistic},
                               {"p_value", contender.beside->p_value},
                               {"origins", contender.beside->windows}};
  }
  return json;
}

}  // namespace

Json backtest_json(const Backtest& result, const Zone& zone) {
  Json contenders = Json::array();
  for (const BacktestContender& contender : result.contenders) {
    contenders.push_back(contender_json(contender, result.channels));
  }
  Json refits = Json::array();
  for (const BacktestRefit& refit : result.refits) {
    refits.push_back({{"at", to_text(refit.at, zone)},
                      {"rows", refit.rows},
                      {"validation_mse", refit.validation},
                      {"by_drift", refit.is_by_drift}});
  }
  Json alarms = Json::array();
  for (const DriftAlarm& alarm : result.alarms) {
    alarms.push_back({{"at", to_text(alarm.at, zone)},
                      {"ratio", alarm.ratio},
                      {"reference", alarm.reference},
                      {"origins", alarm.origins}});
    if (alarm.level > 0.0) {
      alarms.back()["level"] = alarm.level;
      alarms.back()["coverage"] = alarm.coverage;
    }
  }
  return {{"origins", result.origins},
          {"stride", result.stride},
          {"first_cutoff", to_text(result.first_cutoff, zone)},
          {"last_cutoff", to_text(result.last_cutoff, zone)},
          {"horizon", result.horizon},
          {"contenders", contenders},
          {"ranges", ranges_json(result.ranges, result.channels)},
          {"refits", refits},
          {"drift",
           {{"beside", result.drift_beside}, {"window", result.drift_window}, {"alarms", alarms}}}};
}

}  // namespace pulsecast::json
