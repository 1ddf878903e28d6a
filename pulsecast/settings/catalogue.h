// Every section of settings there is: what the reference page lists.
#pragma once

#include <vector>

#include "pulsecast/settings/declaration.h"

namespace pulsecast {

std::vector<const SettingInfo*> every_setting();

}  // namespace pulsecast
