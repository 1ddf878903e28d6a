#include "pulsecast/report/chart.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "pulsecast/report/assets.h"
#include "pulsecast/report/escaped.h"
#include "pulsecast/report/palette.h"

namespace pulsecast::report {
namespace {

std::string svg_of(const Chart& chart) { return to_svg(draw(chart)); }

TEST(Chart, TicksAreRoundAndInside) {
  EXPECT_EQ(round_ticks(0.0, 10.0), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(96.0, 720.0), (std::vector<double>{200, 400, 600}));
  EXPECT_TRUE(round_ticks(1.0, 1.0).empty());
  EXPECT_TRUE(round_ticks(0.0, std::numeric_limits<double>::infinity()).empty());
}

TEST(Chart, NamesCannotBreakThePage) {
  EXPECT_EQ(escaped("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  const std::string svg = svg_of({.title = "<script>",
                                  .x_label = "x",
                                  .y_label = "y",
                                  .lines = {{.name = "</svg>", .points = {{1, 2}, {3, 4}}}}});
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("</svg>"), svg.size() - 7) << svg;
}

TEST(Chart, ThereIsATickBetweenPowersToo) {
  Chart chart{.title = "a", .x_label = "x", .y_label = "y", .log_x = true};
  chart.lines = {{.name = "b", .points = {{21e3, 1}, {29e3, 2}}}};
  EXPECT_NE(svg_of(chart).find(">24k<"), std::string::npos) << svg_of(chart);
}

TEST(Chart, LabelsOfManyPowersDoNotCrowd) {
  Chart chart{.title = "a", .x_label = "x", .y_label = "y", .log_x = true};
  chart.lines = {{.name = "b", .points = {{1e3, 1}, {1e4, 2}}}};
  EXPECT_NE(svg_of(chart).find(">2k<"), std::string::npos);
  chart.lines = {{.name = "b", .points = {{1e3, 1}, {1e9, 2}}}};
  EXPECT_EQ(svg_of(chart).find(">2k<"), std::string::npos);
  EXPECT_NE(svg_of(chart).find(">1M<"), std::string::npos);
}

TEST(Chart, LeavesOutWhatCannotBeDrawn) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Chart chart{.title = "a", .x_label = "x", .y_label = "y", .lines = {}};
  EXPECT_EQ(svg_of(chart), "");
  chart.lines = {{.name = "b", .points = {{1, kNone}}}};
  EXPECT_EQ(svg_of(chart), "");
  chart.log_x = true;
  chart.lines = {{.name = "b", .points = {{0, 1}, {10, 2}}}};
  const std::string svg = svg_of(chart);
  EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<circle"), std::string::npos) << "the point that can be drawn";
}

TEST(Chart, AGapIsNotDrawnOver) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Chart chart{.has_marks = false};
  chart.lines = {{.name = "b", .points = {{0, 1}, {1, 2}, {2, kNone}, {3, 2}, {4, 1}}}};
  std::size_t strokes = 0;
  for (const Shape& shape : draw(chart).shapes) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    strokes += stroke != nullptr && stroke->paint.role == Paint::Role::kSeries ? 1 : 0;
  }
  EXPECT_EQ(strokes, 3u) << "before the gap, after it, and in the legend";
}

// In print without colour, or for eyes that cannot tell them apart.
TEST(Chart, LinesDifferByMoreThanColour) {
  Chart chart;
  for (std::size_t i = 0; i < 5; ++i) {
    chart.lines.push_back({.name = "line", .points = {{0, 1}, {1, 2}}, .series = i});
  }
  std::set<std::pair<std::size_t, int>> looks;
  std::size_t dash = 0;
  for (const Shape& shape : draw(chart).shapes) {
    if (const auto* stroke = std::get_if<Stroke>(&shape)) dash = stroke->dash;
    if (const auto* mark = std::get_if<Mark>(&shape)) {
      looks.insert({dash, static_cast<int>(mark->shape)});
    }
  }
  EXPECT_EQ(looks.size(), 5u);
}

TEST(Chart, BandsLieBehindLinesAndSpreadsAreBars) {
  Chart chart{.has_marks = false};
  chart.bands = {{.name = "80 %", .places = {{0, 1, 3}, {1, 2, 5}}, .series = 1}};
  chart.lines = {{.name = "forecast", .points = {{0, 2, 0.5}, {1, 3}}, .series = 1}};
  const Drawing drawing = draw(chart);
  std::size_t area = 0, line = 0;
  for (std::size_t i = 0; i < drawing.shapes.size(); ++i) {
    if (std::holds_alternative<Area>(drawing.shapes[i]) && area == 0) area = i;
    const auto* stroke = std::get_if<Stroke>(&drawing.shapes[i]);
    if (stroke != nullptr && stroke->paint.role == Paint::Role::kSeries && line == 0) line = i;
  }
  EXPECT_GT(area, 0u);
  EXPECT_GT(line, area);
  const std::string svg = to_svg(drawing);
  EXPECT_NE(svg.find(">80 %</text>"), std::string::npos) << "named in the legend";
  EXPECT_NE(svg.find("stroke-width='1.5'"), std::string::npos) << "the bar of the spread";
}

TEST(Chart, AFileHasItsStyleInside) {
  Chart chart;
  chart.lines = {{.name = "b", .points = {{0, 1}, {1, 2}}}};
  const std::string svg = to_svg_file(draw(chart));
  EXPECT_TRUE(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'")) << svg;
  EXPECT_NE(svg.find("--series-0:"), std::string::npos);
}

TEST(Chart, PicturesHaveTheColoursOfPages) {
  const std::string light(kChartStyle.substr(0, kChartStyle.find("@media")));
  for (std::size_t i = 0; i < kSeriesColours; ++i) {
    const std::string words = fmt::format("--series-{}: #{:06x};", i, kSeriesColour[i]);
    EXPECT_NE(light.find(words), std::string::npos) << words;
  }
  for (const auto& [name, colour] : {std::pair("ink", kInkColour),
                                     {"paper", kPaperColour},
                                     {"soft", kSoftColour},
                                     {"faint", kFaintColour}}) {
    EXPECT_NE(light.find(fmt::format("--{}: #{:06x};", name, colour)), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace pulsecast::report
