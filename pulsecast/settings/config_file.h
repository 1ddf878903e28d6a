// Settings from a TOML file: a table per section, a key per setting.
//
//   [data]
//   time-zone = "Europe/Berlin"
//   lookback = 336
//   known = ["holiday", "price"]
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "pulsecast/settings/declaration.h"

namespace pulsecast {

// Assigns what `text` says. Sections of the catalogue that `settings` has nothing of are passed
// over, so that one file serves every verb. An unknown section or key, a value of the wrong type
// and broken TOML throw Error(kUsage) with "source:line:column" as the place.
void apply_config(std::string_view text, const std::string& source,
                  std::span<const BoundSetting> settings);

// The same of a file. Throws Error(kInputOutput) when it cannot be read.
void apply_config_file(const std::filesystem::path& file, std::span<const BoundSetting> settings);

}  // namespace pulsecast
