#include "apps/cli/terminal/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/cli/terminal/plain_text.h"

namespace pulsecast::cli {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string draw(const std::vector<ChartLine>& lines, const ChartStyle& style,
                 const std::vector<ChartLabel>& labels = {}) {
  return draw_chart(lines, labels, style);
}

ChartLine line_of(std::vector<double> values) {
  ChartLine line;
  line.name = "x";
  line.values = std::move(values);
  return line;
}

constexpr ChartStyle kSmallAscii{.width = 20, .height = 8, .dots = Dots::kAscii};
constexpr ChartStyle kSmallBraille{.width = 20, .height = 6};

TEST(Chart, DrawsALineInAscii) {
  EXPECT_EQ(draw({line_of({0, 1, 2, 3, 4})}, kSmallAscii, {{0, "Mon"}, {4, "Fri"}}),
            "   *** x\n"
            "4 +              ***\n"
            "  |          ****\n"
            "2 +      ****\n"
            "  |  ****\n"
            "0 +**\n"
            "  ++---------------+\n"
            "   Mon           Fri\n");
}

TEST(Chart, DrawsALineInBraille) {
  EXPECT_EQ(draw({line_of({0, 1, 0})}, kSmallBraille),
            "   ⠒⠒⠒ x\n"
            "1 ┤      ⣀⠔⠊⠒⢄⡀\n"
            "  │   ⡠⠔⠊     ⠈⠢⢄\n"
            "0 ┤⡠⠔⠉           ⠉⠢⢄\n"
            "  └─────────────────\n");
}

TEST(Chart, PatternsTellLinesApartWithoutColour) {
  ChartLine dotted = line_of({0, 1, 0});
  dotted.pattern = Pattern::kDotted;
  EXPECT_EQ(draw({dotted}, kSmallBraille),
            "   ⠂⠂⠂ x\n"
            "1 ┤      ⡀⠄⠂⠂⠄⡀\n"
            "  │   ⡀⠄⠂      ⠂⠄\n"
            "0 ┤⡀⠄⠁           ⠁⠂⠄\n"
            "  └─────────────────\n");
  ChartLine dashed = line_of({0, 1, 0});
  dashed.pattern = Pattern::kDashed;
  EXPECT_NE(draw({dashed}, kSmallBraille), draw({dotted}, kSmallBraille));
  EXPECT_NE(draw({dashed}, kSmallBraille), draw({line_of({0, 1, 0})}, kSmallBraille));
}

TEST(Chart, IsNeverWiderOrHigherThanAsked) {
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(1e6 * std::sin(i * 0.1));
  ChartLine named = line_of(values);
  named.name = "a name that is longer than any legend has room for, by far and then some";
  const std::vector<ChartLabel> labels = {
      {0, "2016-07-01 00:00"}, {250, "2016-07-11 10:00"}, {499, "2016-07-21 19:00"}};
  for (const Dots dots : {Dots::kBraille, Dots::kAscii}) {
    for (const std::size_t width : {0, 20, 21, 33, 80, 200}) {
      for (const std::size_t height : {0, 6, 7, 25}) {
        const ChartStyle style{.width = width, .height = height, .dots = dots};
        const auto rows = lines_of(draw({named, line_of({1, 2})}, style, labels));
        EXPECT_EQ(rows.size(), std::max<std::size_t>(height, 6));
        for (const std::string& row : rows) {
          EXPECT_LE(text_width(row), std::max<std::size_t>(width, 20)) << row;
        }
      }
    }
  }
}

TEST(Chart, GapsStayEmpty) {
  const std::string expected =
      "     *** x\n"
      "1.1 +\n"
      "    |\n"
      "1.0 +*****      ****\n"
      "    |\n"
      "0.9 +\n"
      "    +---------------\n";
  EXPECT_EQ(draw({line_of({1, 1, 1, kGap, kGap, kGap, 1, 1, 1})}, kSmallAscii), expected);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(draw({line_of({1, 1, 1, infinite, kGap, -infinite, 1, 1, 1})}, kSmallAscii), expected);
}

TEST(Chart, DrawsOnePointAlone) {
  EXPECT_EQ(draw({line_of({5})}, kSmallAscii),
            "     *** x\n"
            "5.5 +\n"
            "    |\n"
            "5.0 +       *\n"
            "    |\n"
            "4.5 +\n"
            "    +---------------\n");
  const std::string between_gaps = draw({line_of({kGap, kGap, 5, kGap, kGap})}, kSmallAscii);
  EXPECT_EQ(std::ranges::count(between_gaps, '*'), 3 + 1) << "the legend's and the point";
}

TEST(Chart, WithoutValuesSaysSo) {
  EXPECT_EQ(draw({}, kSmallAscii), "no value to draw\n");
  EXPECT_EQ(draw({line_of({})}, kSmallAscii), "no value to draw\n");
  EXPECT_EQ(draw({line_of({kGap, kGap})}, kSmallBraille), "no value to draw\n");
}

TEST(Chart, LaterLinesLieOverEarlierOnesAndBeginWhereTheySay) {
  ChartLine history = line_of({1, 1, 1, 1, 1});
  history.mark = '.';
  ChartLine forecast = line_of({1, 1, 1});
  forecast.first = 4;
  const auto rows = lines_of(draw({history, forecast}, kSmallAscii));
  EXPECT_EQ(rows[0], "     ... x  *** x");
  EXPECT_EQ(rows[3], "1.0 +.........******");
}

TEST(Chart, ColoursOnlyWhenAsked) {
  ChartLine line = line_of({0, 1});
  line.ink = Ink::kYellow;
  ChartStyle style = kSmallBraille;
  const std::string plain = draw({line}, style);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  style.colour = true;
  std::string colour = draw({line}, style);
  EXPECT_NE(colour.find("\x1b[33m⠒⠒⠒\x1b[0m x"), std::string::npos) << colour;
  for (const std::string_view code : {"\x1b[33m", "\x1b[0m"}) {
    for (std::size_t at = 0; (at = colour.find(code)) != std::string::npos;) {
      colour.erase(at, code.size());
    }
  }
  EXPECT_EQ(colour, plain);
}

TEST(Chart, NamesCannotSpeakToTheTerminal) {
  ChartLine line = line_of({0, 1});
  line.name = "a\x1b[2J\nb\xc2\x9b é";
  EXPECT_EQ(lines_of(draw({line}, kSmallBraille))[0], "   ⠒⠒⠒ a?[2J?b?? é");
  EXPECT_EQ(lines_of(draw({line}, kSmallAscii))[0], "     *** a?[2J?b?? ?");
}

TEST(Chart, MiddleLabelsGiveWayToTheEnds) {
  const std::vector<ChartLabel> labels = {{0, "begin"}, {1, "too near"}, {5, "mid"},
                                          {9, "also"},  {10, "end"},     {99, "not there"}};
  std::vector<double> values(11, 1.0);
  const ChartStyle style{.width = 30, .height = 6, .dots = Dots::kAscii};
  const std::vector<ChartLabel> inside(labels.begin(), labels.end() - 1);
  EXPECT_EQ(lines_of(draw({line_of(values)}, style, inside)).back(),
            "      begin       mid      end");
  EXPECT_EQ(lines_of(draw({line_of(values)}, style, labels)).back(),
            "      begin       mid     also")
      << "a label beyond the last step has no place";
}

}  // namespace
}  // namespace pulsecast::cli
