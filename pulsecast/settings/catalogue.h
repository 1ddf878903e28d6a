// Every section of settings there is: what the reference page lists, and all of one Settings by
// name.
#pragma once

#include <vector>

#include "pulsecast/settings/declaration.h"
#include "pulsecast/settings/settings.h"

namespace pulsecast {

std::vector<const SettingInfo*> every_setting();

// All of `settings`, section after section. It must outlive the result.
std::vector<BoundSetting> bind_all(Settings& settings);

}  // namespace pulsecast
