// The reference page of the settings, made from their declarations.
#pragma once

#include <span>
#include <string>

#include "pulsecast/settings/declaration.h"

namespace pulsecast {

// Markdown: a heading a section and a group, a row per setting.
std::string settings_reference(std::span<const SettingInfo* const> settings);

}  // namespace pulsecast
