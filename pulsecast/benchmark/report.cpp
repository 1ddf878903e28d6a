#include "pulsecast/benchmark/report.h"

#include <fmt/format.h>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/report_page.h"
#include "pulsecast/benchmark/runner.h"

namespace pulsecast::benchmark {

Report write_report(const Study& study) {
  const JournalContents journal = read_journal(journal_path(study));
  const Standings standings = make_standings(study, journal.records);
  if (standings.runs == 0) {
    throw_error(ErrorKind::kUsage, journal_path(study).string(),
                "there is no finished run of this study to report; leave out --report to begin it");
  }
  Report report{.markdown = to_markdown(standings),
                .json = to_json(standings),
                .files = {},
                .missing = standings.missing};
  const std::string stem = (study.out / "report").string();
  write_file(stem + ".md", std::string_view(report.markdown));
  write_file(stem + ".csv", std::string_view(to_csv(standings)));
  write_file(stem + ".json", std::string_view(report.json));
  write_file(stem + ".html",
             std::string_view(to_page(standings, pictures_of(study, journal.records))));
  report.files = fmt::format("report in {}.md, .html, .csv and .json", stem);
  return report;
}

}  // namespace pulsecast::benchmark
