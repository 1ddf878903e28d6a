// pulsecast check FILE: what is in a file, everything that is wrong with it, and what would mend
// it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/cli/interrupt.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/json/check_json.h"
#include "pulsecast/settings/data_declaration.h"
#include "pulsecast/train/rehearsal.h"

namespace pulsecast::cli {
namespace {

struct CheckArguments {
  std::string file;
  DataSettings settings;
  bool all = false;
  std::shared_ptr<SettingsFlags> flags;
};

std::string place_of(const Finding& finding) {
  std::string place = finding.first_line == finding.last_line
                          ? fmt::format("line {}", finding.first_line)
                          : fmt::format("lines {}-{}", finding.first_line, finding.last_line);
  if (!finding.series.empty()) place += fmt::format(", series '{}'", finding.series);
  if (!finding.column.empty()) place += fmt::format(", column '{}'", finding.column);
  return place;
}

std::string summary_text(const Diagnosis& diagnosis, const Zone& zone) {
  std::string text = fmt::format("{}: {} x {}", diagnosis.source, counted(diagnosis.rows, "row"),
                                 counted(diagnosis.columns.size(), "column"));
  if (diagnosis.series > 0) text += fmt::format(", {} series", diagnosis.series);
  text += "\n";
  text += fmt::format("  read as  {}\n", fmt::join(diagnosis.notes, "; "));
  if (diagnosis.first && diagnosis.last) {
    text += fmt::format("  from     {} to {} ({})\n", to_text(*diagnosis.first, zone),
                        to_text(*diagnosis.last, zone), diagnosis.zone);
  }
  if (diagnosis.frequency) {
    text += fmt::format("  step     {}, {} of {}\n", diagnosis.frequency->step.to_string(),
                        diagnosis.frequency->agreeing,
                        counted(diagnosis.frequency->intervals, "row agrees", "rows agree"));
  } else {
    text += "  step     none: no two stamps differ\n";
  }
  if (diagnosis.period.period) {
    text += fmt::format("  period   {} steps, strength {:.3f}", diagnosis.period.period->lag,
                        diagnosis.period.period->strength);
    std::vector<std::string> others;
    for (const PeriodCandidate& candidate : diagnosis.period.candidates) {
      if (candidate.lag != diagnosis.period.period->lag) {
        others.push_back(fmt::format("{} ({:.3f})", candidate.lag, candidate.strength));
      }
    }
    if (!others.empty()) text += fmt::format("; also {}", fmt::join(others, ", "));
    text += "\n";
  } else {
    text += "  period   none found\n";
  }
  return text;
}

// "12 of 60 series; the worst: 'a' (40), 'b' (7)".
std::string series_text(const Diagnosis& diagnosis, Finding::Kind kind) {
  const auto own = std::ranges::find(diagnosis.summary, kind, &Diagnosis::KindSummary::kind);
  if (own == diagnosis.summary.end()) return "";
  std::vector<std::string> worst;
  for (const auto& [series, count] : own->worst) {
    worst.push_back(fmt::format("'{}' ({})", series, count));
  }
  return fmt::format("; {} of {} series, the worst {}", own->series, diagnosis.series,
                     fmt::join(worst, ", "));
}

// Findings under a heading a kind. A long list is cut, and says so, unless --all.
std::string findings_text(const Diagnosis& diagnosis, bool all) {
  const std::size_t most = all ? std::numeric_limits<std::size_t>::max() : 10;
  std::map<Finding::Kind, std::vector<const Finding*>> by_kind;
  for (const Finding& finding : diagnosis.findings) by_kind[finding.kind].push_back(&finding);
  std::string text;
  for (const auto& [kind, findings] : by_kind) {
    text += fmt::format("\n{}: ", title(kind));
    // Runs are counted by what is in them; other findings count one each.
    if (kind == Finding::Kind::kEmptyCells || kind == Finding::Kind::kGap) {
      std::size_t count = 0;
      for (const Finding* finding : findings) count += finding->count;
      text += fmt::format("{}, in {}", count, counted(findings.size(), "place"));
    } else {
      text += fmt::format("{}", findings.size());
    }
    text += series_text(diagnosis, kind) + "\n";
    for (std::size_t i = 0; i < std::min(most, findings.size()); ++i) {
      text += fmt::format("  {}: {}\n", place_of(*findings[i]), findings[i]->cause);
    }
    if (findings.size() > most) {
      text += fmt::format("  ... and {} more; --all or --json lists every one\n",
                          findings.size() - most);
    }
  }
  return text;
}

std::string outcome_text(const Diagnosis& diagnosis, const train::Rehearsal& outcome,
                         const Words& words) {
  std::string text;
  if (!diagnosis.remedies.empty()) {
    text += "\nWhat would mend it:\n";
    std::size_t width = 22;
    for (const Remedy& remedy : diagnosis.remedies) {
      width = std::max(width, std::min<std::size_t>(means_text(remedy, words).size(), 36));
    }
    for (const Remedy& remedy : diagnosis.remedies) {
      const std::string means = means_text(remedy, words);
      // Advice alone has no flag in front of it.
      text += means.empty() ? fmt::format("  {}\n", remedy.effect)
                            : fmt::format("  {:<{}} {}\n", means, width, remedy.effect);
    }
  }
  if (outcome.refusal) {
    return text +
           fmt::format("\nAs it is, {}: {}\n",
                       outcome.repaired ? "nothing can be trained on it" : "the file is refused",
                       to_text(*outcome.refusal, words));
  }
  const Series& series = outcome.repaired->series;
  text += fmt::format("\nReady: {} of {} x {}", counted(series.rows(), "step"),
                      series.step.to_string(), counted(series.channels.size(), "channel"));
  for (const std::string& repair : outcome.repaired->repairs) text += "; " + repair;
  return text + fmt::format(". Training has {}, validation {}.\n",
                            counted(outcome.training_windows, "window"),
                            outcome.validation_windows);
}

int check(CheckArguments& arguments, const Console& console) {
  arguments.flags->apply();
  const Threads threads = threads_of(console);
  Table table = read_table(arguments.file, arguments.settings, *threads.pool(), interruptible());
  const Diagnosis diagnosis = examine(table, arguments.settings);
  const Zone zone = table.zone;
  const train::Rehearsal outcome =
      train::rehearse(std::move(table), arguments.settings, *threads.pool());
  if (console.json) {
    console.print_json(json::check_json(diagnosis, zone, outcome, *console.words));
  } else {
    console.print(summary_text(diagnosis, zone) + findings_text(diagnosis, arguments.all) +
                  outcome_text(diagnosis, outcome, *console.words));
  }
  return diagnosis.is_clean() && !outcome.refusal ? kDone : kFindings;
}

Action declare_check(CLI::App& command) {
  auto arguments = std::make_shared<CheckArguments>();
  command.add_option("file", arguments->file, "rows to read; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command.add_flag("--all", arguments->all, "list every finding, however many there are");
  arguments->flags = std::make_shared<SettingsFlags>(
      command, data_settings().bind(arguments->settings),
      series_settings({"panel", "lookback", "horizon", "split", "period"}));
  return [arguments](const Console& console) { return check(*arguments, console); };
}

}  // namespace

const Verb kCheck = {
    "check", "list everything that is wrong with a file, and what would mend it",
    "  pulsecast check load.csv\n"
    "  pulsecast check load.csv.gz --time-zone Europe/Berlin --fill linear\n"
    "  zcat sales.csv.gz | pulsecast check - --layout long --id-column shop --json\n"
    "  pulsecast check solar.txt --start '2006-01-01 00:00' --step 10min\n"
    "  pulsecast check pems04.npz --start 2018-01-01 --step 5min --feature 0\n",
    declare_check};

}  // namespace pulsecast::cli
