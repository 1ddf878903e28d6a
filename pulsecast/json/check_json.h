// What is in a table, what is wrong with it and what would mend it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pulsecast/base/words.h"
#include "pulsecast/data/doctor/diagnosis.h"
#include "pulsecast/train/rehearsal.h"

namespace pulsecast::json {

// `zone` is the table's. Remedies and the refusal are in `words`.
nlohmann::ordered_json check_json(const Diagnosis& diagnosis, const Zone& zone,
                                  const train::Rehearsal& outcome, const Words& words);

}  // namespace pulsecast::json
