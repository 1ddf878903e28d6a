// For tests: somebody who does what the doctor says, until a file is read.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/settings/data_declaration.h"
#include "pulsecast/testing/files/true_file.h"

namespace pulsecast::testing {

inline void apply(const Remedy& remedy, DataSettings& settings) {
  for (const Assignment& assignment : remedy.settings) {
    for (const BoundSetting& setting : data_settings().bind(settings)) {
      if (setting.info->name != assignment.setting) continue;
      const std::vector<std::string> values = {assignment.value};
      setting.assign(values, "advice");
    }
  }
}

// The first remedy that says every value, of an error.
inline std::optional<Remedy> first_definite(const std::vector<Remedy>& remedies) {
  for (const Remedy& remedy : remedies) {
    const auto is_this = [](const Assignment& assignment) {
      return assignment.kind == Assignment::Value::kThis;
    };
    if (!remedy.settings.empty() && std::ranges::all_of(remedy.settings, is_this)) return remedy;
  }
  return std::nullopt;
}

struct Followed {
  std::optional<Repaired> repaired;
  DataSettings reading;               // with which it was read
  std::vector<std::string> settings;  // that were advised and set
  std::string refusal;                // the last
};

inline bool advises(const std::vector<Remedy>& remedies, const std::string& setting) {
  return std::ranges::any_of(remedies, [&](const Remedy& remedy) {
    return std::ranges::count(remedy.settings, setting, &Assignment::setting) > 0;
  });
}

inline Followed follow_advice(const TrueFile& file) {
  Followed followed;
  DataSettings settings;
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<Remedy> remedies;
    try {
      const Table table = read_text(file.text, settings);
      remedies = examine(table, settings).remedies;
      if (!settings.outliers && advises(remedies, "outliers")) {
        throw_error(ErrorKind::kData, "file.csv", "odd values are no reason to refuse a file");
      }
      followed.repaired = repair(table, settings);
      followed.reading = settings;
      return followed;
    } catch (const Error& error) {
      followed.refusal = error.what();
      if (remedies.empty()) remedies = error.remedies();
    }
    const std::optional<Remedy> remedy = first_definite(remedies);
    if (!remedy) return followed;
    for (const Assignment& assignment : remedy->settings) {
      followed.settings.push_back(assignment.setting);
    }
    apply(*remedy, settings);
  }
  return followed;
}

}  // namespace pulsecast::testing
