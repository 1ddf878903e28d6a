// Everything that can be set about a model and how it comes to be.
//
//   Settings settings;
//   settings.data.horizon = "48h";               // by member,
//   assign(settings, "learning-rate", "0.001");  // or by name, as flags and config files do
//
// These headers are plain structs and enums, for anybody who uses the library. What each setting is
// called, takes and means stands in the *_declaration.h beside them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pulsecast/settings/data_settings.h"
#include "pulsecast/settings/model_settings.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast {

struct Settings {
  DataSettings data;
  ModelSettings model;
  TrainingSettings training;
};

// Sets one by its name, "lookback" or "data.lookback", from text as its flag takes it; values of a
// list are parted by commas. Throws Error(kUsage) that says what was expected, or names near
// misses.
void assign(Settings& settings, std::string_view name, std::string_view value);
// The same value by value, which may hold commas; of what is no list, one.
void assign(Settings& settings, std::string_view name, std::span<const std::string> values);

// "training.epochs", "10" for every setting; what is unset is left out. assign() takes them back.
std::vector<std::pair<std::string, std::string>> setting_texts(const Settings& settings);

}  // namespace pulsecast
