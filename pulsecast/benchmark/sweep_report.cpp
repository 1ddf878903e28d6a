#include "pulsecast/benchmark/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/report_text.h"
#include "pulsecast/benchmark/runner.h"
#include "pulsecast/report/chart.h"
#include "pulsecast/report/escaped.h"
#include "pulsecast/report/page.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast::benchmark {
namespace {

using Json = nlohmann::ordered_json;
using report::escaped;

std::size_t finished(const Sweep& sweep, const std::vector<SweepLine>& lines) {
  std::size_t runs = 0;
  for (const SweepLine& line : lines) {
    if (line.horizon == 0) continue;
    for (std::size_t i = 0; i < sweep.values.size(); ++i) runs += line.points[i].seeds;
  }
  return runs;
}

// "by validation 24; test MSE from 0.3601 (24) to 0.3702 (1), 2.8 % apart".
std::string verdict(const Sweep& sweep, const SweepLine& line) {
  const std::optional<std::size_t> best = best_validated(line);
  if (!best) return "";
  std::size_t low = *best, high = *best;
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    if (line.points[i].seeds == 0) continue;
    if (line.points[i].mse.mean < line.points[low].mse.mean) low = i;
    if (line.points[i].mse.mean > line.points[high].mse.mean) high = i;
  }
  const double lowest = line.points[low].mse.mean;
  const double highest = line.points[high].mse.mean;
  return fmt::format(
      "{} validates best, with a test MSE of {:.4f}; over the values it goes from {:.4f} ({}) to "
      "{:.4f} ({}), {:.1f} % apart",
      sweep.values[*best], line.points[*best].mse.mean, lowest, sweep.values[low], highest,
      sweep.values[high], 100.0 * (highest - lowest) / lowest);
}

std::string score_text(const MeanSpread& score, std::size_t seeds) {
  if (seeds == 0) return "-";
  return score.spread > 0.0 ? fmt::format("{:.4f} ± {:.4f}", score.mean, score.spread)
                            : fmt::format("{:.4f}", score.mean);
}

// Lines of one model on one dataset lie together.
template <typename Visit>
void for_each_block(const std::vector<SweepLine>& lines, Visit visit) {
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t last = first;
    while (last < lines.size() && lines[last].model == lines[first].model &&
           lines[last].dataset == lines[first].dataset) {
      ++last;
    }
    visit(std::span(lines).subspan(first, last - first));
    first = last;
  }
}

std::string block_table(const Sweep& sweep, std::span<const SweepLine> block) {
  std::string text = fmt::format("| {} |", sweep.setting);
  for (const SweepLine& line : block) {
    text += fmt::format(" H {0}: validation | test MSE | test MAE |", horizon_text(line.horizon));
  }
  text += " weights |\n" + markdown_rule(2 + 3 * block.size());
  for (std::size_t value = 0; value < sweep.values.size(); ++value) {
    text += fmt::format("| {} |", markdown_cell(sweep.values[value]));
    for (const SweepLine& line : block) {
      const SweepPoint& point = line.points[value];
      std::string validation = score_text({point.validation.mean, 0.0}, point.seeds);
      if (best_validated(line) == value) validation = fmt::format("**{}**", validation);
      text += fmt::format(" {} | {} | {} |", validation, score_text(point.mse, point.seeds),
                          score_text(point.mae, point.seeds));
    }
    const SweepPoint& last = block.back().points[value];
    text += last.seeds == 0 ? " - |\n" : fmt::format(" {} |\n", last.weights);
  }
  return text;
}

std::string block_html(const Sweep& sweep, std::span<const SweepLine> block) {
  report::Table table(sweep.setting);
  std::vector<std::pair<std::string, std::size_t>> above{{"", 1}};
  std::vector<std::pair<std::string, std::size_t>> below{{escaped(sweep.setting), 1}};
  for (const SweepLine& line : block) {
    above.emplace_back("H " + horizon_text(line.horizon), 3);
    for (const char* score : {"validation MSE", "test MSE", "test MAE"}) {
      below.emplace_back(score, 1);
    }
  }
  above.emplace_back("", 1);
  below.emplace_back("weights", 1);
  table.heading(above);
  table.heading(below);
  for (std::size_t value = 0; value < sweep.values.size(); ++value) {
    std::vector<std::string> cells{escaped(sweep.values[value])};
    for (const SweepLine& line : block) {
      const SweepPoint& point = line.points[value];
      const std::string validation = score_text(point.validation, point.seeds);
      cells.push_back(best_validated(line) == value ? "<b>" + validation + "</b>" : validation);
      cells.push_back(score_text(point.mse, point.seeds));
      cells.push_back(score_text(point.mae, point.seeds));
    }
    const SweepPoint& last = block.back().points[value];
    cells.push_back(last.seeds == 0 ? "-" : std::to_string(last.weights));
    table.row(cells);
  }
  return table.html();
}

// Where the values are on the x axis: as numbers, or one beside the other where they are words.
struct Axis {
  std::vector<double> places;
  bool is_log = false;
};

Axis axis_of(const std::vector<std::string>& values) {
  Axis axis;
  for (const std::string& value : values) {
    double number = 0.0;
    if (!from_texts({&value, 1}, Range<double>{}, number)) break;
    axis.places.push_back(number);
  }
  if (axis.places.size() < values.size()) {
    axis.places.clear();
    for (std::size_t i = 0; i < values.size(); ++i) axis.places.push_back(static_cast<double>(i));
    return axis;
  }
  constexpr double kWide = 12.0;  // values that far apart crowd on a plain axis
  const auto [low, high] = std::ranges::minmax(axis.places);
  axis.is_log = low > 0.0 && high / low > kWide;
  return axis;
}

report::Drawing chart_of(const Sweep& sweep, std::span<const SweepLine> block, const char* what,
                         MeanSpread SweepPoint::*score) {
  const Axis axis = axis_of(sweep.values);
  report::Chart chart{.title = fmt::format("{}, {}", block.front().dataset, block.front().model),
                      .x_label = sweep.setting,
                      .y_label = what,
                      .x_ticks = axis.places,
                      .x_names = sweep.values,
                      .log_x = axis.is_log};
  for (std::size_t i = 0; i < block.size(); ++i) {
    report::ChartLine line{.name = "H " + horizon_text(block[i].horizon), .series = i};
    for (std::size_t value = 0; value < sweep.values.size(); ++value) {
      const SweepPoint& point = block[i].points[value];
      const MeanSpread& own = point.*score;
      if (point.seeds > 0) line.points.push_back({axis.places[value], own.mean, own.spread});
    }
    std::ranges::sort(line.points, {}, &report::ChartPoint::x);
    chart.lines.push_back(std::move(line));
  }
  return draw(chart);
}

report::Drawing test_chart(const Sweep& sweep, std::span<const SweepLine> block) {
  return chart_of(sweep, block, "test MSE", &SweepPoint::mse);
}

std::string picture_name(std::span<const SweepLine> block) {
  return file_word(block.front().model + "_" + block.front().dataset) + ".svg";
}

std::string summary(const Sweep& sweep, const std::vector<SweepLine>& lines) {
  const std::size_t runs = finished(sweep, lines);
  const std::size_t missing = tasks_of(sweep.study).size() - runs;
  return fmt::format(
      "{} finished{}. Errors are of scaled values, means over every window, step and channel, and "
      "over seeds.",
      counted(runs, "run"), missing == 0 ? "" : fmt::format(", {} still missing", missing));
}

}  // namespace

std::string to_markdown(const Sweep& sweep, const std::vector<SweepLine>& lines) {
  std::string text = fmt::format("# {} varied\n\n{} The value that validates best is **bold**.\n",
                                 sweep.setting, summary(sweep, lines));
  for_each_block(lines, [&](std::span<const SweepLine> block) {
    text += fmt::format("\n## {} on {}\n\n{}\n", markdown_cell(block.front().model),
                        markdown_cell(block.front().dataset), block_table(sweep, block));
    if (!test_chart(sweep, block).is_empty()) {
      text += fmt::format("![test MSE by {}]({})\n\n", sweep.setting, picture_name(block));
    }
    for (const SweepLine& line : block) {
      const std::string said = verdict(sweep, line);
      if (said.empty()) continue;
      text += fmt::format("- horizon {}: {}.\n", horizon_text(line.horizon), said);
    }
  });
  return text;
}

std::string to_csv(const Sweep& sweep, const std::vector<SweepLine>& lines) {
  std::string text =
      "dataset,model,horizon,setting,value,seeds,validation_mse,mse,mse_spread,mae,mae_spread,"
      "weights\n";
  for (const SweepLine& line : lines) {
    for (std::size_t i = 0; i < sweep.values.size(); ++i) {
      const SweepPoint& point = line.points[i];
      if (point.seeds == 0) continue;
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(line.dataset),
                      csv_cell(line.model), horizon_text(line.horizon), sweep.setting,
                      csv_cell(sweep.values[i]), point.seeds, point.validation.mean, point.mse.mean,
                      point.mse.spread, point.mae.mean, point.mae.spread, point.weights);
    }
  }
  return text;
}

std::string to_json(const Sweep& sweep, const std::vector<SweepLine>& lines) {
  Json curves = Json::array();
  for (const SweepLine& line : lines) {
    Json points = Json::array();
    for (std::size_t i = 0; i < sweep.values.size(); ++i) {
      const SweepPoint& point = line.points[i];
      if (point.seeds == 0) continue;
      points.push_back({{"value", sweep.values[i]},
                        {"seeds", point.seeds},
                        {"validation_mse", point.validation.mean},
                        {"mse", point.mse.mean},
                        {"mse_spread", point.mse.spread},
                        {"mae", point.mae.mean},
                        {"mae_spread", point.mae.spread},
                        {"weights", point.weights}});
    }
    const std::optional<std::size_t> best = best_validated(line);
    curves.push_back({{"dataset", line.dataset},
                      {"model", line.model},
                      {"horizon", line.horizon == 0 ? Json("mean") : Json(line.horizon)},
                      {"validates_best", best ? Json(sweep.values[*best]) : Json(nullptr)},
                      {"points", points}});
  }
  const std::size_t runs = finished(sweep, lines);
  const Json document = {{"setting", sweep.setting},
                         {"runs", runs},
                         {"missing", tasks_of(sweep.study).size() - runs},
                         {"curves", curves}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_page(const Sweep& sweep, const std::vector<SweepLine>& lines,
                    const Provenance& provenance) {
  std::string text = report::page_head({.title = sweep.setting + " varied"});
  text += fmt::format(
      "<p>{} The value that validates best is <b>bold</b>; ± is the standard deviation over "
      "seeds.</p>\n",
      summary(sweep, lines));
  for_each_block(lines, [&](std::span<const SweepLine> block) {
    text += fmt::format("<h2>{} on {}</h2>\n<div class='charts'>\n", escaped(block.front().model),
                        escaped(block.front().dataset));
    text += to_svg(test_chart(sweep, block));
    text += to_svg(chart_of(sweep, block, "validation MSE", &SweepPoint::validation));
    text += "</div>\n" + block_html(sweep, block) + "<ul>\n";
    for (const SweepLine& line : block) {
      const std::string said = verdict(sweep, line);
      if (said.empty()) continue;
      text += fmt::format("<li>horizon {}: {}</li>\n", horizon_text(line.horizon), escaped(said));
    }
    text += "</ul>\n";
  });
  return text + provenance_html(provenance) + report::page_end(made_by(provenance));
}

Report write_report(const Sweep& sweep) {
  const JournalContents journal = read_journal(journal_path(sweep.study));
  const std::vector<SweepLine> lines = sweep_lines(sweep, journal.records);
  const std::size_t runs = finished(sweep, lines);
  if (runs == 0) refuse_empty_report(sweep.study);
  for_each_block(lines, [&](std::span<const SweepLine> block) {
    const report::Drawing chart = test_chart(sweep, block);
    if (chart.is_empty()) return;
    write_file(sweep.study.out / picture_name(block), std::string_view(to_svg_file(chart)));
  });
  return write_report_files(
      sweep.study,
      {.markdown = to_markdown(sweep, lines),
       .json = to_json(sweep, lines),
       .files = {},
       .missing = tasks_of(sweep.study).size() - runs},
      to_csv(sweep, lines),
      to_page(sweep, lines, provenance_of(journal.records, journal_path(sweep.study))));
}

}  // namespace pulsecast::benchmark
