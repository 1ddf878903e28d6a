#include "pulsecast/benchmark/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "pulsecast/base/counted.h"
#include "pulsecast/benchmark/page.h"
#include "pulsecast/benchmark/report_text.h"
#include "pulsecast/benchmark/svg_chart.h"

namespace pulsecast::benchmark {
namespace {

std::string score_cell(const MeanSpread& score, std::size_t rank, std::size_t seeds) {
  if (seeds == 0) return "<td>-</td>";
  std::string text = fmt::format("{:.4f}", score.mean);
  if (rank == 1) text = "<b>" + text + "</b>";
  if (rank == 2) text = "<u>" + text + "</u>";
  if (seeds > 1) text += fmt::format(" <span class='spread'>± {:.4f}</span>", score.spread);
  return "<td>" + text + "</td>";
}

std::string scores_html(const Standings& standings) {
  std::string text = "<tr><th rowspan='2'>dataset</th><th rowspan='2'>H";
  std::string metrics;
  for (const std::string& name : standings.columns) {
    text += fmt::format("</th><th colspan='2'>{}", escaped(name));
    metrics += "<th>MSE</th><th>MAE</th>";
  }
  text += "</th></tr><tr>" + metrics + "</tr>\n";
  for (const StandingsRow& row : standings.rows) {
    text += fmt::format("<tr{}><td>{}</td><td>{}</td>", row.horizon == 0 ? " class='mean'" : "",
                        escaped(row.dataset), horizon_text(row.horizon));
    for (const Standing& each : row.standings) {
      text += score_cell(each.mse, each.mse_rank, each.seeds) +
              score_cell(each.mae, each.mae_rank, each.seeds);
    }
    text += "</tr>\n";
  }
  text += "<tr><td>times first</td><td></td>";
  for (std::size_t column = 0; column < standings.columns.size(); ++column) {
    text += fmt::format("<td>{}</td><td>{}</td>", standings.mse_firsts[column],
                        standings.mae_firsts[column]);
  }
  return wide_table("errors", text + "</tr>");
}

std::string mase_html(const Standings& standings) {
  std::string text = "<tr><th rowspan='2'>dataset</th><th rowspan='2'>H</th><th rowspan='2'>lag";
  std::string kinds;
  for (const std::string& name : standings.columns) {
    text += fmt::format("</th><th colspan='2'>{}", escaped(name));
    kinds += "<th>usual</th><th>paper's</th>";
  }
  text += "</th></tr><tr>" + kinds + "</tr>\n";
  for (const StandingsRow& row : standings.rows) {
    for (const std::size_t lag : mase_lags(row)) {
      text += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td>",
                          row.horizon == 0 ? " class='mean'" : "", escaped(row.dataset),
                          horizon_text(row.horizon), lag);
      for (const Standing& each : row.standings) {
        text += fmt::format("<td>{}</td><td>{}</td>", mase_text(each, lag, &LagMase::usual),
                            mase_text(each, lag, &LagMase::paper));
      }
      text += "</tr>\n";
    }
  }
  return wide_table("scaled errors", text);
}

std::string comparisons_html(const Standings& standings) {
  std::string text =
      "<tr><th>dataset</th><th>H</th><th>model</th><th>against</th>"
      "<th>MSE promotion</th><th>p</th><th>MAE promotion</th><th>p</th></tr>\n";
  for (const Comparison& each : standings.comparisons) {
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:+.1f} %</td><td>{}</td>"
        "<td>{:+.1f} %</td><td>{}</td></tr>\n",
        escaped(each.dataset), each.horizon, escaped(each.model), escaped(each.original),
        each.mse_promotion, escaped(p_text(each.squared)), each.mae_promotion,
        escaped(p_text(each.absolute)));
  }
  return wide_table("what PULSE adds", text);
}

std::string baselines_html(const Standings& standings) {
  const std::vector<std::string> names = baseline_names(standings);
  std::string text = "<tr><th rowspan='2'>dataset</th><th rowspan='2'>H";
  std::string metrics;
  for (const std::string& name : names) {
    text += fmt::format("</th><th colspan='2'>{}", escaped(name));
    metrics += "<th>MSE</th><th>MAE</th>";
  }
  text += "</th><th rowspan='2'>best model's MSE</th></tr><tr>" + metrics + "</tr>\n";
  for (const StandingsRow& row : standings.rows) {
    text += fmt::format("<tr{}><td>{}</td><td>{}</td>", row.horizon == 0 ? " class='mean'" : "",
                        escaped(row.dataset), horizon_text(row.horizon));
    for (const std::string& name : names) {
      const auto own = std::ranges::find(row.baselines, name, &BaselineScore::name);
      text += own == row.baselines.end()
                  ? "<td>-</td><td>-</td>"
                  : fmt::format("<td>{:.4f}</td><td>{:.4f}</td>", own->mse, own->mae);
    }
    const auto best = std::ranges::find(row.standings, 1u, &Standing::mse_rank);
    text += best == row.standings.end() ? "<td>-</td></tr>\n"
                                        : fmt::format("<td>{:.4f}</td></tr>\n", best->mse.mean);
  }
  return wide_table("what costs nothing", text);
}

std::string costs_html(const Standings& standings) {
  std::string text =
      "<tr><th>dataset</th><th>H</th><th>model</th><th>weights</th><th>MFLOP a window</th></tr>\n";
  for (const StandingsRow& row : standings.rows) {
    if (row.horizon == 0) continue;
    for (std::size_t column = 0; column < standings.columns.size(); ++column) {
      const Standing& each = row.standings[column];
      if (each.weights == 0) continue;
      text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.4g}</td></tr>\n",
                          escaped(row.dataset), row.horizon, escaped(standings.columns[column]),
                          each.weights, static_cast<double>(each.flops) / 1e6);
    }
  }
  return wide_table("what they cost", text);
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
std::string dataset_chart(const Standings& standings, const std::string& dataset, Chart chart,
                          X x_of) {
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
    ChartLine line{.name = standings.columns[column], .points = {}, .series = column};
    for (const StandingsRow& row : standings.rows) {
      const Standing& each = row.standings[column];
      if (row.dataset != dataset || row.horizon == 0 || each.seeds == 0) continue;
      line.points.emplace_back(x_of(row, each), each.mse.mean);
    }
    if (!line.points.empty()) chart.lines.push_back(std::move(line));
  }
  return to_svg(chart);
}

template <typename X>
std::string charts(const Standings& standings, const Chart& chart, X x_of) {
  std::string text = "<div class='charts'>\n";
  for (const std::string& dataset : dataset_names(standings)) {
    text += dataset_chart(standings, dataset, chart, x_of);
  }
  return text + "</div>\n";
}

// A model has the colour of its column, in every chart.
std::string picture_svg(const Picture& picture, const Standings& standings) {
  Chart chart{.title = fmt::format("{}, {}", picture.dataset, picture.channel),
              .x_label = "steps from the forecast's start",
              .y_label = "scaled value",
              .has_marks = false,
              .lines = {}};
  ChartLine truth{.name = "what came", .points = {}, .is_quiet = true};
  // As much of the past as of the future.
  const std::size_t shown = std::min(picture.history.size(), picture.truth.size());
  for (std::size_t i = 0; i < shown; ++i) {
    truth.points.emplace_back(static_cast<double>(i) - static_cast<double>(shown),
                              picture.history[picture.history.size() - shown + i]);
  }
  for (std::size_t h = 0; h < picture.truth.size(); ++h) {
    truth.points.emplace_back(static_cast<double>(h), picture.truth[h]);
  }
  chart.lines.push_back(std::move(truth));
  for (std::size_t i = 0; i < picture.forecasts.size(); ++i) {
    const auto column = std::ranges::find(standings.columns, picture.forecasts[i].model);
    ChartLine line{
        .name = picture.forecasts[i].model,
        .points = {},
        .series = static_cast<std::size_t>(std::distance(standings.columns.begin(), column))};
    for (std::size_t h = 0; h < picture.forecasts[i].values.size(); ++h) {
      line.points.emplace_back(static_cast<double>(h), picture.forecasts[i].values[h]);
    }
    chart.lines.push_back(std::move(line));
  }
  return to_svg(chart);
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
  std::string text = page_head("Benchmark");
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
  text +=
      "<h2>Error by horizon</h2>\n" + charts(standings, {.x_label = "horizon, steps", .lines = {}},
                                             [](const StandingsRow& row, const Standing&) {
                                               return static_cast<double>(row.horizon);
                                             });
  text += "<h2>Accuracy against weights</h2>\n" +
          charts(standings, {.x_label = "weights", .log_x = true, .has_lines = false, .lines = {}},
                 [](const StandingsRow&, const Standing& each) {
                   return static_cast<double>(each.weights);
                 });
  text +=
      "<h2>Accuracy against cost</h2>\n" + charts(standings,
                                                  {.x_label = "floating-point operations a window",
                                                   .log_x = true,
                                                   .has_lines = false,
                                                   .lines = {}},
                                                  [](const StandingsRow&, const Standing& each) {
                                                    return static_cast<double>(each.flops);
                                                  });
  return text + provenance_html(provenance) + page_end();
}

}  // namespace pulsecast::benchmark
