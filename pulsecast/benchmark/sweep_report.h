// A sweep's records as tables and curves: OUT/sweep-SETTING/report.md, .html, .csv and .json.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/benchmark/provenance.h"
#include "pulsecast/benchmark/report.h"
#include "pulsecast/benchmark/sweep.h"

namespace pulsecast::benchmark {

std::string to_markdown(const Sweep& sweep, const std::vector<SweepLine>& lines);
std::string to_csv(const Sweep& sweep, const std::vector<SweepLine>& lines);
std::string to_json(const Sweep& sweep, const std::vector<SweepLine>& lines);
// Curves of the test and of the validation error over the setting's values.
std::string to_page(const Sweep& sweep, const std::vector<SweepLine>& lines,
                    const Provenance& provenance);

// Reads the records and writes the four files. Throws Error where no run is finished.
Report write_report(const Sweep& sweep);

}  // namespace pulsecast::benchmark
