// Findings of a panel, kind by kind: of 30,000 series nobody reads a list.
#pragma once

#include <vector>

#include "pulsecast/data/doctor/diagnosis.h"

namespace pulsecast {

// Of findings that belong to a series.
std::vector<Diagnosis::KindSummary> summarise(const std::vector<Finding>& findings);

}  // namespace pulsecast
