// What an evaluation comes to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pulsecast/evaluate/scored.h"

namespace pulsecast::json {

// Windows, the model's scores, those of the baselines, and of ranges. `channels` names the targets.
nlohmann::ordered_json evaluation_json(const Evaluation& evaluation,
                                       const std::vector<std::string>& channels);

}  // namespace pulsecast::json
