// What the doctor says of a table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pulsecast/base/remedy.h"
#include "pulsecast/calendar/frequency.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/data/doctor/finding.h"
#include "pulsecast/data/series/period.h"
#include "pulsecast/data/table/table.h"

namespace pulsecast {

struct Diagnosis {
  std::string source;
  std::size_t rows = 0;
  std::size_t series = 0;  // of a long file, else 0
  struct ColumnSummary {
    std::string name;
    Role role;
    std::size_t missing;  // cells without a finite value
  };
  std::vector<ColumnSummary> columns;
  std::string zone;
  std::optional<Instant> first;
  std::optional<Instant> last;
  std::optional<Frequency> frequency;  // of the rows that agree most
  PeriodFinding period;                // of the targets
  std::vector<std::string> notes;      // how the file was read
  std::vector<Finding> findings;       // by kind, then by line
  // Of a long file, how its series fare: one a kind of finding.
  struct KindSummary {
    Finding::Kind kind;
    std::size_t series = 0;                                  // that have it
    std::size_t count = 0;                                   // in all of them
    std::vector<std::pair<std::string, std::size_t>> worst;  // the first few, with their counts
  };
  std::vector<KindSummary> summary;
  std::vector<Remedy> remedies;  // what each repair would do to this table

  bool is_clean() const {
    return std::ranges::all_of(findings, [](const Finding& finding) {
      return finding.kind == Finding::Kind::kIntermittent;
    });
  }
};

}  // namespace pulsecast
