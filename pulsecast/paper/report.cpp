#include "pulsecast/paper/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/benchmark/provenance.h"
#include "pulsecast/benchmark/runner.h"
#include "pulsecast/paper/helps.h"
#include "pulsecast/paper/report_data.h"
#include "pulsecast/paper/sections.h"
#include "pulsecast/paper/words.h"

namespace pulsecast::paper {
namespace {

// What is done of a part of PULSE, over seeds with and without it.
HelpsEvidence evidence_of(const Material& material) {
  HelpsEvidence evidence;
  for (const std::string_view name : ablated_datasets()) {
    const std::string dataset(name);
    if (!material.plan.has(dataset)) continue;
    for (const std::int64_t horizon : kHorizons) {
      const CellName cell{dataset, horizon};
      evidence.cells.push_back(cell);
      evidence.mismatches[cell] = material.measuring.mismatch(dataset, horizon);
      const Want whole{.model = std::string(kOwnModel), .dataset = dataset, .horizon = horizon};
      for (const Without& without : withouts()) {
        Want lacking = whole;
        lacking.setting = without.setting;
        const auto [with, bare] = material.findings.on_same_seeds(whole, lacking);
        if (!with) continue;
        evidence.gains.push_back({std::string(without.part), cell, with.seeds,
                                  100.0 * (bare.mse.mean / with.mse.mean - 1.0)});
      }
    }
  }
  return evidence;
}

std::string file_words(const DatasetCheck& check, const Plan& plan) {
  switch (check.verdict) {
    case DatasetCheck::Verdict::kAbsent:
      return plan.is_left_out(check.dataset->name) ? "left out" : "no file";
    case DatasetCheck::Verdict::kUnreadable:
      return "cannot be read: " + check.detail;
    case DatasetCheck::Verdict::kDiffers:
      return "another file than the paper's: " + check.detail;
    case DatasetCheck::Verdict::kSame:
    case DatasetCheck::Verdict::kShapeAgrees:
      break;
  }
  return name(check.verdict);
}

Table files_table(const Plan& plan) {
  Table table{.caption = "Files of the paper's datasets", .words = 3};
  table.heading = {"dataset", "file", "here", "cells of the paper"};
  for (const DatasetCheck& check : plan.files()) {
    const std::string_view dataset = check.dataset->name;
    const auto count = std::ranges::count(cells(), dataset, &Cell::dataset) +
                       std::ranges::count(cost_cells(), dataset, &CostCell::dataset) +
                       std::ranges::count(mismatch_cells(), dataset, &MismatchCell::dataset);
    table.rows.push_back({{std::string(dataset)},
                          {std::string(check.dataset->file)},
                          {file_words(check, plan)},
                          {std::to_string(count)}});
  }
  return table;
}

Table counts_table(const Material& material) {
  Table table{.caption = "Cells of the paper, by part"};
  table.heading = {"part", "cells", "with ours", "without a file", "still to run"};
  for (const Part* part : material.plan.parts()) {
    const Count count = count_of(*part, material.plan, material.findings, material.measuring);
    if (count.cells == 0) continue;
    table.rows.push_back({{std::string(part->title)},
                          {std::to_string(count.cells)},
                          {std::to_string(count.filled)},
                          {std::to_string(count.without_data)},
                          {std::to_string(count.cells - count.filled - count.without_data)}});
  }
  return table;
}

// Our errors of PULSE over the paper's, over the cells of the main table that have both.
std::vector<double> own_ratios(const Findings& findings) {
  std::vector<double> ratios;
  for (const Cell& cell : cells()) {
    if (cell.table != "main" || cell.model != kOwnModel) continue;
    if (const Ours ours = findings.of(cell)) ratios.push_back(ours.mse.mean / cell.paper.mse);
  }
  return ratios;
}

std::vector<Headline> headlines(const Material& material, const Count& count) {
  std::vector<Headline> all = {{fmt::format("{} of {}", count.filled, count.cells),
                                "cells of the paper have a number of ours beside them"},
                               {std::to_string(count.cells - count.filled - count.without_data),
                                "more can be had with the files that are here"},
                               {std::to_string(count.without_data), "need a file that is not here"},
                               {std::to_string(material.findings.runs()), "runs are done"}};
  const std::vector<double> ratios = own_ratios(material.findings);
  if (!ratios.empty()) {
    const double mean =
        std::accumulate(ratios.begin(), ratios.end(), 0.0) / static_cast<double>(ratios.size());
    all.push_back(
        {fmt::format("{:.3f}", mean),
         fmt::format("of the paper's MSE is ours of PULSE, a mean over {}; highest {:.3f}",
                     counted(ratios.size(), "cell"), std::ranges::max(ratios))});
  }
  return all;
}

std::string how_made(const Plan& plan) {
  std::string text =
      "Errors are of scaled values over every window of test; ± is the standard deviation over "
      "seeds. Below each number the paper's and the ratio of ours to it. The paper has one seed a "
      "cell. The epoch is chosen on validation; test rows are scored when a training is over. ";
  if (plan.request().is_quick) {
    text += fmt::format(
        "This is the quick choice: ETTh1 and ETTh2, {}; {} thought to take longer than {:.0f} s "
        "each were left out, with all that a mean over horizons needs them for. ",
        counted(plan.request().seeds.size(), "seed"), counted(plan.left_out(), "run"),
        kQuickSeconds);
  }
  if (plan.request().most_epochs > 0) {
    text += fmt::format(
        "A trial: training ended after {} at most, so no number here is "
        "comparable with the paper's. ",
        counted(static_cast<std::size_t>(plan.request().most_epochs), "epoch"));
  }
  return text;
}

void add_part(const Part& part, const Material& material, std::vector<Block>& out) {
  out.push_back(Heading{std::string(part.title), std::string(part.name)});
  out.push_back(Paragraph{std::string(part.about)});
  for (const ErrorTable& table : part.tables) add_error_table(table, material, out);
  add_curves(part.curves, material, out);
  switch (part.extra) {
    case Extra::kNone:
      return;
    case Extra::kAnchors:
      return add_anchors(material, out);
    case Extra::kCosts:
      return add_costs(material, out);
    case Extra::kMismatch:
      return add_mismatch(material, out);
    case Extra::kForecasts:
      return add_forecasts(material, out);
    case Extra::kHelps:
      return add_helps(evidence_of(material), out);
  }
}

std::string made_by(const Findings& findings, const Plan& plan) {
  const benchmark::Provenance from =
      benchmark::provenance_of(findings.records(), benchmark::journal_path(plan.study()));
  const auto joined = [](const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& each : all) text += (text.empty() ? "" : "; ") + each;
    return text;
  };
  return fmt::format("pulsecast {}; runs of pulsecast {} on {}, the newest of {}",
                     PULSECAST_VERSION, joined(from.versions), joined(from.cpus), from.day);
}

Document document_of(const Material& material, const Count& count) {
  Document document{.title = "PULSE beside the paper", .lead = how_made(material.plan)};
  document.headlines = headlines(material, count);
  document.blocks.push_back(Heading{"What is here", "here"});
  document.blocks.push_back(counts_table(material));
  document.blocks.push_back(files_table(material.plan));
  for (const Part* part : material.plan.parts()) add_part(*part, material, document.blocks);
  document.made_by = made_by(material.findings, material.plan);
  return document;
}

}  // namespace

Report write_report(const Plan& plan, ThreadPool& threads, const Watch& watch) {
  const std::filesystem::path& out = plan.request().out;
  const Findings findings(plan);
  make_folder(out);
  Measuring measuring(plan, threads, watch);
  const Material material{plan, findings, measuring};
  Count count;
  for (const Part* part : plan.parts()) count += count_of(*part, plan, findings, measuring);
  const Document document = document_of(material, count);
  Report report;
  report.markdown = to_markdown(document);
  report.json = to_json(material, count);
  const std::string stem = (out / "paper").string();
  write_file(stem + ".html", std::string_view(to_html(document)));
  write_file(stem + ".md", std::string_view(report.markdown));
  write_file(stem + ".json", std::string_view(report.json));
  write_file(stem + ".csv", std::string_view(to_csv(material)));
  report.files = fmt::format("report in {}.html, .md, .json and .csv", stem);
  report.count = fmt::format("{} of {} cells of the paper have a number of ours beside them",
                             count.filled, count.cells);
  for (const PlannedRun& run : plan.runs()) {
    if (std::ranges::find(findings.records(), run.task.key, &benchmark::RunRecord::key) ==
        findings.records().end()) {
      ++report.missing;
    }
  }
  return report;
}

}  // namespace pulsecast::paper
