// What is in a model file.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pulsecast/artifact/model_file.h"

namespace pulsecast::json {

// Its metadata, what its known and static columns do, and how many weights it has.
nlohmann::ordered_json model_json(const artifact::Model& model);

}  // namespace pulsecast::json
