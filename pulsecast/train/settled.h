// The settings of a plan: what was told, completed, and what was found beside it.
#pragma once

#include "pulsecast/data/series/series.h"
#include "pulsecast/model/model_shape.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/train/plan.h"

namespace pulsecast::train {

// Of complete settings; a size that is unset is one that the backbone does not have.
model::BackboneSizes backbone_sizes(const ModelSettings& given);

// What the plan found, put beside what was told: settings that leave nothing open that new rows or
// a second training need.
Settings settled(Settings settings, const Plan& plan, const Series& series);

}  // namespace pulsecast::train
