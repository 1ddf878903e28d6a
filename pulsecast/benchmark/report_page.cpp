#include "pulsecast/benchmark/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "pulsecast/base/counted.h"
#include "pulsecast/benchmark/report_text.h"
#include "pulsecast/report/chart.h"
#include "pulsecast/report/escaped.h"
#include "pulsecast/report/page.h"

namespace pulsecast::benchmark {
namespace {

using report::escaped;

using Cells = std::vector<std::string>;
using Heading = std::vector<std::pair<std::string, std::size_t>>;

Heading single(std::initializer_list<const char*> names) {
  Heading heading;
  for (const char* name : names) heading.emplace_back(name, 1);
  return heading;
}

// Some columns of words, then two a name: above them the name, below it what they are.
void head_pairs(report::Table& table, std::initializer_list<const char*> words, const Cells& names,
                std::pair<const char*, const char*> pair,
                std::initializer_list<const char*> after = {}) {
  Heading above(words.size(), {"", 1});
  Heading below = single(words);
  for (const std::string& name : names) {
    above.emplace_back(escaped(name), 2);
    below.emplace_back(pair.first, 1);
    below.emplace_back(pair.second, 1);
  }
  for (const char* name : after) {
    above.emplace_back("", 1);
    below.emplace_back(name, 1);
  }
  table.heading(above);
  table.heading(below);
}

const char* kind_of(const StandingsRow& row) { return row.horizon == 0 ? "mean" : ""; }

std::string score_cell(const MeanSpread& score, std::size_t rank, std::size_t seeds) {
  if (seeds == 0) return "-";
  std::string text = fmt::format("{:.4f}", score.mean);
  if (rank == 1) text = "<b>" + text + "</b>";
  if (rank == 2) text = "<u>" + text + "</u>";
  if (seeds > 1) text += fmt::format(" <span class='spread'>± {:.4f}</span>", score.spread);
  return text;
}

std::string scores_html(const Standings& standings) {
  report::Table table("Errors");
  head_pairs(table.words(2), {"dataset", "H"}, standings.columns, {"MSE", "MAE"});
  for (const StandingsRow& row : standings.rows) {
    Cells cells{escaped(row.dataset), horizon_text(row.horizon)};
    for (const Standing& each : row.standings) {
      cells.push_back(score_cell(each.mse, each.mse_rank, each.seeds));
      cells.push_back(score_cell(each.mae, each.mae_rank, each.seeds));
    }
    table.row(cells, kind_of(row));
  }
  Cells firsts{"times first", ""};
  for (std::size_t column = 0; column < standings.columns.size(); ++column) {
    firsts.push_back(std::to_string(standings.mse_firsts[column]));
    firsts.push_back(std::to_string(standings.mae_firsts[column]));
  }
  table.row(firsts);
  return table.html();
}

std::string mase_html(const Standings& standings) {
  report::Table table("Scaled errors");
  head_pairs(table.words(2), {"dataset", "H", "lag"}, standings.columns, {"usual", "paper's"});
  for (const StandingsRow& row : standings.rows) {
    for (const std::size_t lag : mase_lags(row)) {
      Cells cells{escaped(row.dataset), horizon_text(row.horizon), std::to_string(lag)};
      for (const Standing& each : row.standings) {
        cells.push_back(mase_text(each, lag, &LagMase::usual));
        cells.push_back(mase_text(each, lag, &LagMase::paper));
      }
      table.row(cells, kind_of(row));
    }
  }
  return table.html();
}

std::string comparisons_html(const Standings& standings) {
  report::Table table("What PULSE adds");
  table.heading(
      single({"dataset", "H", "model", "against", "MSE promotion", "p", "MAE promotion", "p"}));
  table.words(4);
  for (const Comparison& each : standings.comparisons) {
    table.row({escaped(each.dataset), std::to_string(each.horizon), escaped(each.model),
               escaped(each.original), fmt::format("{:+.1f} %", each.mse_promotion),
               escaped(p_text(each.squared)), fmt::format("{:+.1f} %", each.mae_promotion),
               escaped(p_text(each.absolute))});
  }
  return table.html();
}

std::string baselines_html(const Standings& standings) {
  const Cells names = baseline_names(standings);
  report::Table table("What costs nothing");
  head_pairs(table.words(2), {"dataset", "H"}, names, {"MSE", "MAE"}, {"best model's MSE"});
  for (const StandingsRow& row : standings.rows) {
    Cells cells{escaped(row.dataset), horizon_text(row.horizon)};
    for (const std::string& name : names) {
      const auto own = std::ranges::find(row.baselines, name, &BaselineScore::name);
      const bool is_there = own != row.baselines.end();
      cells.push_back(is_there ? fmt::format("{:.4f}", own->mse) : "-");
      cells.push_back(is_there ? fmt::format("{:.4f}", own->mae) : "-");
    }
    const auto best = std::ranges::find(row.standings, 1u, &Standing::mse_rank);
    cells.push_back(best == row.standings.end() ? "-" : fmt::format("{:.4f}", best->mse.mean));
    table.row(cells, kind_of(row));
  }
  return table.html();
}

std::string costs_html(const Standings& standings) {
  report::Table table("What they cost");
  table.heading(single({"dataset", "H", "model", "weights", "MFLOP a window"}));
  table.words(3);
  for (const StandingsRow& row : standings.rows) {
    if (row.horizon == 0) continue;
    for (std::size_t column = 0; column < standings.columns.size(); ++column) {
      const Standing& each = row.standings[column];
      if (each.weights == 0) continue;
      table.row({escaped(row.dataset), std::to_string(row.horizon),
                 escaped(standings.columns[column]), std::to_string(each.weights),
                 fmt::format("{:.4g}", static_cast<double>(each.flops) / 1e6)});
    }
  }
  return table.html();
}

std::vector<std::string> dataset_names(const Standings& standings) {
  std::vector<std::string> names;
  for (const StandingsRow& row : standings.rows) {
    if (names.empty() || names.back() != row.dataset) names.push_back(row.dataset);
  }
  return names;
}

// One chart of a dataset: a line a contender, a point a horizon.
template <typename X>
std::string dataset_chart(const Standings& standings, const std::string& dataset,
                          report::Chart chart, X x_of) {
  chart.title = dataset;
  if (!chart.log_x) {
    for (const StandingsRow& row : standings.rows) {
      if (row.dataset == dataset && row.horizon != 0) {
        chart.x_ticks.push_back(static_cast<double>(row.horizon));
      }
    }
  }
  chart.y_label = "MSE";
  for (std::size_t column = 0; column < standings.columns.size(); ++column) {
    report::ChartLine line{.name = standings.columns[column], .series = column};
    for (const StandingsRow& row : standings.rows) {
      const Standing& each = row.standings[column];
      if (row.dataset != dataset || row.horizon == 0 || each.seeds == 0) continue;
      line.points.push_back({x_of(row, each), each.mse.mean, each.mse.spread});
    }
    if (!line.points.empty()) chart.lines.push_back(std::move(line));
  }
  return to_svg(draw(chart));
}

template <typename X>
std::string charts(const Standings& standings, const report::Chart& chart, X x_of) {
  std::string text = "<div class='charts'>\n";
  for (const std::string& dataset : dataset_names(standings)) {
    text += dataset_chart(standings, dataset, chart, x_of);
  }
  return text + "</div>\n";
}

// A model has the colour of its column, in every chart.
std::string picture_svg(const Picture& picture, const Standings& standings) {
  report::Chart chart{.title = fmt::format("{}, {}", picture.dataset, picture.channel),
                      .x_label = "steps from the forecast's start",
                      .y_label = "scaled value",
                      .has_marks = false};
  report::ChartLine truth{.name = "what came", .is_quiet = true};
  // As much of the past as of the future.
  const std::size_t shown = std::min(picture.history.size(), picture.truth.size());
  for (std::size_t i = 0; i < shown; ++i) {
    truth.points.push_back({static_cast<double>(i) - static_cast<double>(shown),
                            picture.history[picture.history.size() - shown + i]});
  }
  for (std::size_t h = 0; h < picture.truth.size(); ++h) {
    truth.points.push_back({static_cast<double>(h), picture.truth[h]});
  }
  chart.lines.push_back(std::move(truth));
  for (std::size_t i = 0; i < picture.forecasts.size(); ++i) {
    const auto column = std::ranges::find(standings.columns, picture.forecasts[i].model);
    report::ChartLine line{
        .name = picture.forecasts[i].model,
        .series = static_cast<std::size_t>(std::distance(standings.columns.begin(), column))};
    for (std::size_t h = 0; h < picture.forecasts[i].values.size(); ++h) {
      line.points.push_back({static_cast<double>(h), picture.forecasts[i].values[h]});
    }
    chart.lines.push_back(std::move(line));
  }
  return to_svg(draw(chart));
}

// The models whose forecasts are worth a picture.
std::vector<std::string> pictured_models(const Study& study) {
  for (const Contender& model : study.models) {
    if (model.around != Contender::Around::kPulse) continue;
    const auto original = std::ranges::find_if(study.models, [&](const Contender& other) {
      return other.around == Contender::Around::kNothing && other.backbone == model.backbone;
    });
    if (original != study.models.end()) return {original->name, model.name};
  }
  std::vector<std::string> names;
  for (const Contender& model : study.models) {
    if (names.size() < 2) names.push_back(model.name);
  }
  return names;
}

}  // namespace

std::vector<Picture> pictures_of(const Study& study, const std::vector<RunRecord>& records) {
  std::vector<Picture> pictures;
  for (const StudyDataset& dataset : study.datasets) {
    Picture picture{.dataset = dataset.name, .horizon = std::ranges::max(dataset.horizons)};
    for (const std::string& model : pictured_models(study)) {
      const RunKey key{model, dataset.name, picture.horizon, study.seeds.front()};
      const auto record = std::ranges::find(records, key, &RunRecord::key);
      if (record == records.end()) continue;
      const ExampleWindow example = read_errors(study.out / record->errors).example;
      picture.channel = example.channel;
      // Look-backs may differ from model to model; the longest is drawn.
      if (example.history.size() > picture.history.size()) picture.history = example.history;
      picture.truth = example.truth;
      picture.forecasts.push_back({model, example.forecast});
    }
    if (!picture.forecasts.empty()) pictures.push_back(std::move(picture));
  }
  return pictures;
}

std::string to_page(const Standings& standings, const std::vector<Picture>& pictures,
                    const Provenance& provenance) {
  std::string text = report::page_head({.title = "Benchmark"});
  text += fmt::format(
      "<p>{} finished{}. Errors are of scaled values, means over every test window, step and "
      "channel, and over seeds (± their standard deviation). The best of a row is <b>bold</b>, the "
      "second <u>underlined</u>.</p>\n",
      counted(standings.runs, "run"),
      standings.missing == 0 ? "" : fmt::format(", {} still missing", standings.missing));
  text += scores_html(standings);
  if (!standings.comparisons.empty()) {
    text +=
        "<h2>What PULSE adds</h2>\n<p>Per cent by which the original's error is lowered; p is that "
        "of the Diebold-Mariano test that allows for windows that overlap, two-sided.</p>\n" +
        comparisons_html(standings);
  }
  if (!pictures.empty()) {
    text +=
        "<h2>Forecasts over what came</h2>\n<p>The middle test window of the longest horizon.</p>\n"
        "<div class='charts'>\n";
    for (const Picture& picture : pictures) text += picture_svg(picture, standings);
    text += "</div>\n";
  }
  text += "<h2>What costs nothing</h2>\n<p>The same windows.</p>\n" + baselines_html(standings) +
          "<h2>What they cost</h2>\n" + costs_html(standings);
  if (has_mase(standings)) {
    text +=
        fmt::format("<h2>Scaled errors</h2>\n<p>{}</p>\n", kMaseExplained) + mase_html(standings);
  }
  text += "<h2>Error by horizon</h2>\n" + charts(standings, {.x_label = "horizon, steps"},
                                                 [](const StandingsRow& row, const Standing&) {
                                                   return static_cast<double>(row.horizon);
                                                 });
  text += "<h2>Accuracy against weights</h2>\n" +
          charts(standings, {.x_label = "weights", .log_x = true, .has_lines = false},
                 [](const StandingsRow&, const Standing& each) {
                   return static_cast<double>(each.weights);
                 });
  text +=
      "<h2>Accuracy against cost</h2>\n" +
      charts(standings,
             {.x_label = "floating-point operations a window", .log_x = true, .has_lines = false},
             [](const StandingsRow&, const Standing& each) {
               return static_cast<double>(each.flops);
             });
  return text + provenance_html(provenance) + report::page_end(made_by(provenance));
}

}  // namespace pulsecast::benchmark
