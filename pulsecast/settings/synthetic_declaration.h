// What each member of SyntheticSettings is called, takes and means.
#pragma once

#include "pulsecast/settings/declaration.h"
#include "pulsecast/settings/synthetic_settings.h"

namespace pulsecast {

const Declaration<SyntheticSettings>& synthetic_settings();

}  // namespace pulsecast
