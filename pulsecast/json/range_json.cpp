#include "pulsecast/json/range_json.h"

#include <nlohmann/json.hpp>

namespace pulsecast::json {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const IntervalErrors& errors) {
  return {{"coverage", errors.coverage},
          {"below", errors.below},
          {"above", errors.above},
          {"width", errors.width},
          {"interval_score", errors.score}};
}

Json level_json(const LevelScored& level, const std::vector<std::string>& channels) {
  Json json = interval_json(level.scaled.overall);
  json["level"] = level.scaled.level;
  json["msis"] = level.msis;
  json["coverage_from"] = level.coverage.lower;
  json["coverage_to"] = level.coverage.upper;
  for (std::size_t c = 0; c < level.scaled.per_channel.size(); ++c) {
    Json entry = interval_json(level.scaled.per_channel[c]);
    entry["channel"] = channels[c];
    entry["width_units"] = level.original.per_channel[c].width;
    json["per_channel"].push_back(std::move(entry));
  }
  for (std::size_t h = 0; h < level.scaled.per_step.size(); ++h) {
    Json entry = interval_json(level.scaled.per_step[h]);
    entry["coverage_from"] = level.step_coverage[h].lower;
    entry["coverage_to"] = level.step_coverage[h].upper;
    json["per_step"].push_back(std::move(entry));
  }
  for (const MonthRanges& month : level.per_month) {
    Json entry = interval_json(month.errors);
    entry["month"] = month.month;
    json["per_month"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

Json ranges_json(std::span<const RangesScored> scored, const std::vector<std::string>& channels) {
  Json all = Json::array();
  for (const RangesScored& ranges : scored) {
    Json levels = Json::array();
    for (const LevelScored& level : ranges.levels) levels.push_back(level_json(level, channels));
    all.push_back({{"name", ranges.name},
                   {"levels", levels},
                   {"weighted_quantile_loss", ranges.weighted_quantile_loss},
                   {"crps", ranges.crps}});
  }
  return all;
}

}  // namespace pulsecast::json
