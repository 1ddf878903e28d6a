#include "pulsecast/artifact/static_tensors.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::artifact {
namespace {

constexpr const char* kProfiles = "statics.profiles";    // (groups of all columns, period)
constexpr const char* kGroupsKey = "pulsecast statics";  // [{"column", "texts" or "bounds"}]

bool is_strictly_ascending(const auto& values) {
  return std::ranges::adjacent_find(values, std::greater_equal()) == values.end();
}

// Throws what nlohmann throws where a field is not there or of another type.
StaticGroups groups_of(const nlohmann::json& json) {
  StaticGroups groups;
  json.at("column").get_to(groups.column);
  if (json.contains("bounds")) {
    json.at("bounds").get_to(groups.bounds);
  } else {
    json.at("texts").get_to(groups.texts);
  }
  return groups;
}

}  // namespace

bool has_static_tensors(const store::TensorFile& file) {
  return file.metadata.contains(kGroupsKey);
}

void add_profiles(const StaticProfiles& profiles, store::TensorFile& file) {
  nlohmann::json columns = nlohmann::json::array();
  for (const StaticGroups& groups : profiles.columns()) {
    nlohmann::json entry = {{"column", groups.column}};
    if (groups.bounds.empty()) {
      entry["texts"] = groups.texts;
    } else {
      entry["bounds"] = groups.bounds;
    }
    columns.push_back(std::move(entry));
  }
  file.metadata[kGroupsKey] =
      columns.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  file.tensors.push_back(store::store_doubles(
      kProfiles, {profiles.values().size() / profiles.period(), profiles.period()},
      profiles.values()));
}

StaticProfiles read_profiles(const store::TensorFile& file, const CalendarPlan& calendar,
                             const std::string& where) {
  const auto require = [&](bool is_so, const char* expected) {
    if (!is_so) {
      throw_error(ErrorKind::kModelFile, where, "its static columns should have {}", expected);
    }
  };
  std::vector<StaticGroups> columns;
  try {
    const nlohmann::json json = nlohmann::json::parse(file.metadata.at(kGroupsKey));
    require(json.is_array() && !json.empty(), "a list of groups");
    for (const nlohmann::json& entry : json) columns.push_back(groups_of(entry));
  } catch (const nlohmann::json::exception&) {
    require(false, "names, and texts or bounds for their groups");
  }
  std::size_t groups = 0;
  for (const StaticGroups& column : columns) {
    require(is_strictly_ascending(column.texts) && is_strictly_ascending(column.bounds) &&
                column.size() > 0,
            "groups in their order, each once");
    require(std::ranges::all_of(column.bounds, [](double bound) { return std::isfinite(bound); }),
            "finite bounds");
    groups += column.size();
  }
  const store::StoredTensor& stored = file.at(kProfiles);
  const auto values = stored.doubles();
  const std::size_t period = groups > 0 && values.size() % groups == 0 ? values.size() / groups : 0;
  require(period > 0 && stored.shape == std::vector<std::size_t>{groups, period},
          "a number for each group and phase");
  require(calendar.phase == PhaseSource::kTimestamp ||
              static_cast<std::size_t>(calendar.period) == period,
          "the period of the rows, where phases are counted by them");
  require(std::ranges::all_of(values, [](double value) { return std::isfinite(value); }),
          "finite profiles");
  return {std::move(columns), period, {values.begin(), values.end()}};
}

}  // namespace pulsecast::artifact
