// What mends a finding, and what each repair would do to a table, in numbers.
#pragma once

#include <vector>

#include "pulsecast/base/remedy.h"
#include "pulsecast/data/doctor/finding.h"

namespace pulsecast {

// Each mends it alone.
std::vector<Remedy> remedies_of(const Finding& finding);

// Only repairs that would do something are listed.
std::vector<Remedy> list_remedies(const std::vector<Finding>& findings);

}  // namespace pulsecast
