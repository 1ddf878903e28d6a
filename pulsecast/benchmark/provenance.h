// Where the numbers of a report come from: what made them, on which machine, with what settings.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "pulsecast/benchmark/run_record.h"

namespace pulsecast::benchmark {

struct Provenance {
  std::vector<std::string> versions;  // each once
  std::vector<std::string> cpus;
  std::string day;  // of the newest record, in UTC: "2026-11-18"
  // By model, of its first run: what was told and what was chosen, as the record has it.
  std::vector<std::pair<std::string, std::string>> settings;
};

// `journal` is the file of the records.
Provenance provenance_of(const std::vector<RunRecord>& records,
                         const std::filesystem::path& journal);

// "pulsecast 0.1.0"
std::string made_by(const Provenance& provenance);
std::string provenance_html(const Provenance& provenance);

}  // namespace pulsecast::benchmark
