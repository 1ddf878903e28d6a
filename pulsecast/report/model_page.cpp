#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/report/assets.h"
#include "pulsecast/report/escaped.h"
#include "pulsecast/report/model_page_data.h"
#include "pulsecast/report/model_report.h"
#include "pulsecast/report/page.h"

namespace pulsecast::report {
namespace {

constexpr std::size_t kMostRows = 400;  // of the table of channels

// A place for a chart that the script draws, and below it the table that says the same.
std::string chart_html(const char* id, const char* label) {
  return fmt::format("<div class='plot' id='{}' data-label='{}'></div>\n", id, label);
}

std::string section(const char* id, const char* title, const std::string& body) {
  return fmt::format(
      "<section id='{0}' aria-labelledby='{0}-title'>\n<h2 id='{0}-title'>{1}</h2>\n"
      "{2}</section>\n",
      id, title, body);
}

std::string headlines_html(const ModelReport& report) {
  std::string text = "<ul class='headlines'>\n";
  for (const auto& [figure, meaning] : report.headlines) {
    text += fmt::format("<li><b>{}</b> <span>{}</span></li>\n", escaped(figure), escaped(meaning));
  }
  return text + "</ul>\n";
}

std::string channel_picker(const ModelReport& report) {
  std::string text = "<div class='bar'><label for='channel'>Series</label> <select id='channel'>\n";
  for (std::size_t c = 0; c < report.channels.size(); ++c) {
    text += fmt::format("<option value='{}'>{}</option>\n", c, escaped(report.channels[c].name));
  }
  text += "</select>";
  if (report.channels.size() < report.channel_names.size()) {
    text += fmt::format(" <span class='note'>{} of {} have charts here</span>",
                        report.channels.size(), report.channel_names.size());
  }
  return text + "</div>\n";
}

std::string scores_table(const ModelReport& report) {
  Table table("Errors of scaled values over every scored window, step and series");
  table.heading({{"forecast", 1}, {"MSE", 1}, {"MAE", 1}});
  for (const ScoreReport& score : report.scores) {
    table.row(
        {escaped(score.name), fmt::format("{:.4f}", score.mse), fmt::format("{:.4f}", score.mae)},
        &score == &report.scores.front() ? "mean" : "");
  }
  return table.html();
}

// A table of so many series, folded up where it is long.
std::string of_series(const Table& table, std::size_t shown, const ModelReport& report) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                     report.channel_names.size() <= 12 ? " open" : "",
                     shown < report.channel_names.size()
                         ? fmt::format("{} of {} series", shown, report.channel_names.size())
                         : "Every series",
                     table.html());
}

// The model beside the best of what costs nothing, channel by channel.
std::string channels_table(const ModelReport& report) {
  const ScoreReport& model = report.scores.front();
  Table table("Mean absolute error of each series, in its own units");
  table.heading({{"series", 1}, {"model", 1}, {"best of the naive", 1}, {"model / naive", 1}});
  std::size_t shown = 0;
  for (std::size_t c = 0; c < model.by_channel.size(); ++c) {
    if (std::isnan(model.by_channel[c]) || shown == kMostRows) continue;
    ++shown;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < report.scores.size(); ++i) {
      best = std::fmin(best, report.scores[i].by_channel[c]);
    }
    const double ratio = model.by_channel[c] / best;
    table.row({escaped(report.channel_names[c]), fmt::format("{:.4g}", model.by_channel[c]),
               fmt::format("{:.4g}", best),
               std::isfinite(ratio) ? fmt::format("{:.2f}{}", ratio, ratio > 1.0 ? " (worse)" : "")
                                    : "-"});
  }
  return of_series(table, shown, report);
}

std::string coverage_by_channel(const ModelReport& report) {
  Table table("Share of what came that ranges held of each series");
  std::vector<std::pair<std::string, std::size_t>> names = {{"series", 1}};
  for (const CoverageReport& each : report.coverage) names.emplace_back(escaped(each.name), 1);
  table.heading(names);
  std::size_t shown = 0;
  for (std::size_t c = 0; c < report.coverage.front().by_channel.size(); ++c) {
    if (std::isnan(report.coverage.front().by_channel[c]) || shown == kMostRows) continue;
    ++shown;
    std::vector<std::string> row = {escaped(report.channel_names[c])};
    for (const CoverageReport& each : report.coverage) {
      row.push_back(fmt::format("{:.1f} %", each.by_channel[c]));
    }
    table.row(row);
  }
  return of_series(table, shown, report);
}

std::string coverage_html(const ModelReport& report) {
  if (report.coverage.empty()) return "";
  Table table("Share of what came that ranges held");
  table.heading({{"range", 1}, {"promised", 1}, {"held", 1}});
  for (const CoverageReport& each : report.coverage) {
    table.row({escaped(each.name), fmt::format("{:g} %", each.promised),
               fmt::format("{:.1f} %", each.held)});
  }
  return "<h3>Whether ranges hold</h3>\n<div class='pair'><div>" + table.html() + "</div><div>" +
         chart_html("coverage-plot", "Share held by step ahead, in percent, all series") +
         "</div></div>\n" + coverage_by_channel(report);
}

std::string past_html(const ModelReport& report) {
  if (report.scored_on.empty()) return "";
  return section("past", "How past forecasts fared",
                 fmt::format("<p>Forecasts as they would have been made from {}. Move through them "
                             "with the slider.</p>\n"
                             "<div class='bar'><label for='origin'>Made on</label> <input "
                             "type='range' id='origin' min='0' value='0' step='1'> <output "
                             "id='origin-text' for='origin'></output></div>\n",
                             escaped(report.scored_on)) +
                     chart_html("past-plot", "A past forecast over what came") +
                     "<h3>Error of each of them</h3>\n" +
                     chart_html("origins-plot", "Mean absolute error of each past forecast"));
}

std::string errors_html(const ModelReport& report) {
  if (report.scores.empty()) return "";
  std::string body = fmt::format("<p>Scored on {}.</p>\n", escaped(report.scored_on)) +
                     "<div class='pair'><div>" + scores_table(report) + "</div><div>" +
                     chart_html("steps-plot", "Error by step ahead, all series") +
                     "</div></div>\n" + coverage_html(report) +
                     "<h3 id='errors-of'>Of the series chosen above</h3>\n<div class='trio'>" +
                     chart_html("channel-steps-plot", "Error by step ahead");
  const auto has = [&](std::vector<double> ErrorLines::*list) {
    return std::ranges::any_of(report.channels, [&](const ChannelReport& channel) {
      return !channel.errors.empty() && !(channel.errors.front().*list).empty();
    });
  };
  if (has(&ErrorLines::by_hour)) body += chart_html("hours-plot", "Error by hour of the day");
  if (has(&ErrorLines::by_month)) body += chart_html("months-plot", "Error by month");
  body += "</div>\n<h3>By series</h3>\n" + channels_table(report);
  return section("errors", "Where it errs", body);
}

std::string inside_html(const ModelReport& report) {
  std::string body;
  if (!report.windows.empty()) {
    std::string options;
    for (std::size_t i = 0; i < report.windows.size(); ++i) {
      options +=
          fmt::format("<option value='{}'>{}</option>\n", i, escaped(report.windows[i].name));
    }
    body += fmt::format(
        "<p>One window taken apart. The anchor is what the model expects of calendar and phase "
        "alone; the router carries the past anchor on into the future. What is left of the history "
        "is normalised by its mean and deviation, forecast, and put back: forecast = anchor + "
        "residual.</p>\n<div class='bar'><label for='window'>Series</label> <select "
        "id='window'>\n{}</select> <output id='window-text'></output></div>\n",
        options);
    body += chart_html("window-plot", "History, anchors and forecast of one window");
    body += chart_html("residual-plot", "What is left of it without the anchors");
  }
  if (report.codebook.phases > 0) {
    body += fmt::format(
                "<h3>Codebook</h3>\n<p>The level that was learned for each series in each "
                "{}, in scaled units.</p>\n",
                escaped(report.codebook.phase_name)) +
            chart_html("codebook-plot", "Learned levels by phase");
  }
  if (!report.maps.maps.empty()) {
    body += fmt::format(
        "<h3>Windows beside windows</h3>\n<p>{} as t-SNE puts them: windows with "
        "like anchors lie together. Colour and shape are the {}.</p>\n"
        "<div class='pair' id='maps'></div>\n",
        counted(report.maps.group_of.size(), "window"), escaped(report.maps.grouped_by));
  }
  if (!report.spectra.empty()) {
    body +=
        "<h3>Spectra</h3>\n<p>Mean amplitude of each frequency, of scaled values without their "
        "mean. A forecast that keeps the cycles of what came follows its line; an anchor has "
        "only what can be foretold.</p>\n" +
        chart_html("spectra-plot", "Amplitude by frequency");
  }
  for (const std::string& sentence : report.left_out) {
    body += fmt::format("<p class='note'>{}</p>\n", escaped(sentence));
  }
  return body.empty() ? "" : section("inside", "What the model sees", body);
}

std::string facts_section(const ModelReport& report) {
  Table settings("Every setting that the model was trained with");
  settings.heading({{"setting", 1}, {"value", 1}});
  for (const auto& [name, value] : report.settings) {
    settings.row({escaped(name), escaped(value)});
  }
  return section("facts", "Model and data",
                 facts_html(report.model_facts) + "<h3>Data</h3>\n" +
                     facts_html(report.data_facts) + "<details><summary>Settings</summary>\n" +
                     settings.words(2).html() + "</details>\n");
}

std::string navigation(const ModelReport& report, const std::string& inside) {
  std::string text = "<nav aria-label='Parts of this page'><a href='#next'>Forecast</a>";
  if (!report.scored_on.empty()) text += " <a href='#past'>Past forecasts</a>";
  if (!report.scores.empty()) text += " <a href='#errors'>Errors</a>";
  if (!inside.empty()) text += " <a href='#inside'>What the model sees</a>";
  return text + " <a href='#facts'>Model and data</a></nav>\n";
}

}  // namespace

std::string to_page(const ModelReport& report) {
  const std::string inside = inside_html(report);
  std::string page = page_head({.title = report.title,
                                .lead = report.lead,
                                .more_style = std::string(kUplotStyle),
                                .has_script = true});
  page += navigation(report, inside) + headlines_html(report);
  page +=
      "<noscript><p>The charts are drawn by a script inside this page; the tables below need "
      "none.</p></noscript>\n";
  page += section("next", "Forecast",
                  channel_picker(report) + "<p id='status' class='note'></p>\n" +
                      chart_html("next-plot", "History and forecast"));
  page += past_html(report) + errors_html(report) + inside + facts_section(report);
  page += "<p id='spoken' class='spoken' aria-live='polite'></p>\n";
  page += fmt::format("<script type='application/json' id='data'>{}</script>\n", page_data(report));
  page += fmt::format("<script>\n/* uPlot\n{}*/\n{}\n{}</script>\n", kUplotLicense, kUplotScript,
                      kPageScript);
  return page + page_end(report.made_by);
}

}  // namespace pulsecast::report
