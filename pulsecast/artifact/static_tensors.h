// Profiles of static columns in a model file: one tensor, and a metadata entry of its own that says
// which group of which column each of its rows is of. Checked when read.
#pragma once

#include <cstddef>
#include <string>

#include "pulsecast/data/series/calendar_plan.h"
#include "pulsecast/data/statics/static_profiles.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

inline constexpr std::size_t kStaticTensors = 1;

bool has_static_tensors(const store::TensorFile& file);
void add_profiles(const StaticProfiles& profiles, store::TensorFile& file);
// Throws Error(kModelFile) where they do not fit the calendar or each other.
StaticProfiles read_profiles(const store::TensorFile& file, const CalendarPlan& calendar,
                             const std::string& where);

}  // namespace pulsecast::artifact
