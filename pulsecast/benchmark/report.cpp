#include "pulsecast/benchmark/report.h"

#include <fmt/format.h>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/report_page.h"
#include "pulsecast/benchmark/runner.h"

namespace pulsecast::benchmark {

void refuse_empty_report(const Study& study) {
  throw make_error(ErrorKind::kUsage, journal_path(study).string(),
                   "there is no finished run of this study to report")
      .with(remedy::act(RemedyAction::kRunStudy, "to begin it"));
}

Report write_report_files(const Study& study, Report report, std::string_view csv,
                          std::string_view page) {
  const std::string stem = (study.out / "report").string();
  write_file(stem + ".md", std::string_view(report.markdown));
  write_file(stem + ".csv", csv);
  write_file(stem + ".json", std::string_view(report.json));
  write_file(stem + ".html", page);
  report.files = fmt::format("report in {}.md, .html, .csv and .json", stem);
  return report;
}

Report write_report(const Study& study) {
  const JournalContents journal = read_journal(journal_path(study));
  const Standings standings = make_standings(study, journal.records);
  if (standings.runs == 0) refuse_empty_report(study);
  return write_report_files(study,
                            {.markdown = to_markdown(standings),
                             .json = to_json(standings),
                             .files = {},
                             .missing = standings.missing},
                            to_csv(standings),
                            to_page(standings, pictures_of(study, journal.records),
                                    provenance_of(journal.records, journal_path(study))));
}

}  // namespace pulsecast::benchmark
