// What the script of a model's page reads.
#pragma once

#include <string>

#include "pulsecast/report/model_report.h"

namespace pulsecast::report {

// JSON that may stand inside a script element.
std::string page_data(const ModelReport& report);

}  // namespace pulsecast::report
