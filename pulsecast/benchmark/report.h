// A study's records as people and programs read them: OUT/report.md, .html, .csv and .json.
//
// Made from the records alone; nothing is trained and no dataset is read, so a report may be asked
// for while a study still runs.
#pragma once

#include <string>
#include <string_view>

#include "pulsecast/benchmark/standings.h"

namespace pulsecast::benchmark {

// Tables as papers have them: the best bold, the second underlined, and what PULSE adds with the
// p-value of it.
std::string to_markdown(const Standings& standings);
// A row per dataset, horizon and contender, baselines among them.
std::string to_csv(const Standings& standings);
std::string to_json(const Standings& standings);

struct Report {
  std::string markdown;
  std::string json;
  std::string files;        // "report in OUT/report.md, ..."
  std::size_t missing = 0;  // runs of the study that are not finished
};

// Reads the records and writes the four files. Throws Error.
Report write_report(const Study& study);

// What reports of every kind do: the four files of a study's folder, whose names are put into
// `report`; and the answer where there is nothing to report yet.
Report write_report_files(const Study& study, Report report, std::string_view csv,
                          std::string_view page);
[[noreturn]] void refuse_empty_report(const Study& study);

}  // namespace pulsecast::benchmark
