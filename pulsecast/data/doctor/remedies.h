// What each repair flag would do to a table, in numbers.
#pragma once

#include <vector>

#include "pulsecast/data/doctor/report.h"

namespace pulsecast {

// Only flags that would do something are listed.
std::vector<Remedy> list_remedies(const std::vector<Finding>& findings);

}  // namespace pulsecast
