// What a model has of the columns that are known, in advance or of a series.
#pragma once

#include "pulsecast/data/effects/effects.h"
#include "pulsecast/data/statics/static_profiles.h"

namespace pulsecast {

struct KnownUse {
  const Effects* effects = nullptr;          // of known columns, taken off the targets; null: none
  bool are_inputs = true;                    // known columns join the calendar features of a window
  const StaticProfiles* profiles = nullptr;  // of static columns, taken off too; null: none

  bool takes_off() const { return effects != nullptr || profiles != nullptr; }
};

}  // namespace pulsecast
