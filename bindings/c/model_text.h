// What is told of a model and its training, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pulsecast/forecaster.h"

namespace pulsecast::c {

nlohmann::ordered_json plan_json(const FitPlan& plan);
nlohmann::ordered_json card_json(const Model& model);
// Null of a model that was not fitted here.
nlohmann::ordered_json fitted_json(const Model& model);

}  // namespace pulsecast::c
