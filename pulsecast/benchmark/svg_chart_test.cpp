#include "pulsecast/benchmark/svg_chart.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace pulsecast::benchmark {
namespace {

TEST(SvgChart, TicksAreRoundAndInside) {
  EXPECT_EQ(round_ticks(0.0, 10.0), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(96.0, 720.0), (std::vector<double>{200, 400, 600}));
  EXPECT_TRUE(round_ticks(1.0, 1.0).empty());
  EXPECT_TRUE(round_ticks(0.0, std::numeric_limits<double>::infinity()).empty());
}

TEST(SvgChart, NamesCannotBreakThePage) {
  EXPECT_EQ(escaped("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  const std::string svg = to_svg({.title = "<script>",
                                  .x_label = "x",
                                  .y_label = "y",
                                  .lines = {{.name = "</svg>", .points = {{1, 2}, {3, 4}}}}});
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("</svg>"), svg.size() - 7) << svg;
}

TEST(SvgChart, ThereIsATickBetweenPowersToo) {
  Chart chart{.title = "a", .x_label = "x", .y_label = "y", .log_x = true};
  chart.lines = {{.name = "b", .points = {{21e3, 1}, {29e3, 2}}}};
  EXPECT_NE(to_svg(chart).find(">24k<"), std::string::npos) << to_svg(chart);
}

TEST(SvgChart, LabelsOfManyPowersDoNotCrowd) {
  Chart chart{.title = "a", .x_label = "x", .y_label = "y", .log_x = true};
  chart.lines = {{.name = "b", .points = {{1e3, 1}, {1e4, 2}}}};
  EXPECT_NE(to_svg(chart).find(">2k<"), std::string::npos);
  chart.lines = {{.name = "b", .points = {{1e3, 1}, {1e9, 2}}}};
  EXPECT_EQ(to_svg(chart).find(">2k<"), std::string::npos);
  EXPECT_NE(to_svg(chart).find(">1M<"), std::string::npos);
}

// Whoever cannot tell colours apart, or prints without them, sees shapes and dashes.
TEST(SvgChart, LinesDifferWithoutTheirColours) {
  for (const bool has_marks : {true, false}) {
    Chart chart{.title = "a", .x_label = "x", .y_label = "y", .has_marks = has_marks};
    std::set<std::string> looks;
    for (std::size_t series = 0; series < 5; ++series) {
      chart.lines = {{.name = "b", .points = {{1, 1}, {2, 2}}, .series = series}};
      std::string svg = to_svg(chart);
      const std::string colour = fmt::format("series-{}", series);
      for (std::size_t at = 0; (at = svg.find(colour)) != std::string::npos;) {
        svg.erase(at, colour.size());
      }
      EXPECT_TRUE(looks.insert(svg.substr(svg.find("<text class='title'"))).second) << series;
    }
  }
}

TEST(SvgChart, LeavesOutWhatCannotBeDrawn) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Chart chart{.title = "a", .x_label = "x", .y_label = "y", .lines = {}};
  EXPECT_EQ(to_svg(chart), "");
  chart.lines = {{.name = "b", .points = {{1, kNone}}}};
  EXPECT_EQ(to_svg(chart), "");
  chart.log_x = true;
  chart.lines = {{.name = "b", .points = {{0, 1}, {10, 2}}}};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<circle"), std::string::npos) << "the point that can be drawn";
}

}  // namespace
}  // namespace pulsecast::benchmark
