// Command-line flags made from declared settings, and --config for the same from a file.
//
//   struct Arguments { DataSettings data; };
//   auto flags = std::make_shared<SettingsFlags>(command, data_settings().bind(arguments->data));
//   ...
//   flags->apply();   // in the action, before the settings are read
//
// What the command line says wins over the file, and the file over the defaults.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/settings/declaration.h"

namespace pulsecast::cli {

// Names of the settings with which a file becomes a series, and of `more` that a verb reads.
std::set<std::string_view> series_settings(std::initializer_list<std::string_view> more);

// Names of those that say how one file of rows differs from the next in what is no matter to a
// model: its dialect and its faults, not its step, zone or columns.
std::set<std::string_view> dialect_settings();

// What flags win over.
enum class Over {
  kDefaults,  // and a config file, if one is named
  kModel,     // what a model was trained with
};

class SettingsFlags {
 public:
  // Adds --config, unless over a model, and a flag per setting to `command`. `only` names the
  // settings that the verb reads; empty means all. A config file may set all of them, since one
  // file serves every verb.
  SettingsFlags(CLI::App& command, std::vector<BoundSetting> settings,
                const std::set<std::string_view>& only = {}, Over over = Over::kDefaults);
  SettingsFlags(const SettingsFlags&) = delete;
  SettingsFlags& operator=(const SettingsFlags&) = delete;

  // Assigns what was parsed. Throws Error(kUsage) that names the flag or the place in the file.
  void apply() const;

 private:
  struct Flag {
    const BoundSetting* setting;
    CLI::Option* option;
    std::vector<std::string> values;
    bool is_on = false;  // of a switch
  };

  std::vector<BoundSetting> settings_;
  std::deque<Flag> flags_;  // CLI11 keeps addresses of what it parses into
  std::string config_;
};

}  // namespace pulsecast::cli
