// A line or point chart as one SVG element, for a page that needs no script and no network.
//
// It is drawn 480 units across and scales with the page: on a phone's width its text is still 10
// pixels high. Lines are told apart by colour, by the shape of their marks or their dashes, as the
// legend shows; colours are classes (series-0, series-1, ...), so that the page chooses them for
// light and dark.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pulsecast::benchmark {

struct ChartLine {
  std::string name;
  std::vector<std::pair<double, double>> points;  // what is not finite is left out
  std::size_t series = 0;                         // which colour
  bool is_quiet = false;                          // the truth that others are measured against
};

struct Chart {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  std::vector<double> x_ticks = {};       // empty: round ones
  std::vector<std::string> x_names = {};  // of the ticks; empty: their values
  bool log_x = false;
  bool has_lines = true;
  bool has_marks = true;
  std::vector<ChartLine> lines = {};
};

// Empty where there is no point to draw.
std::string to_svg(const Chart& chart);

// Text for inside an element or an attribute.
std::string escaped(const std::string& text);

// Around half a dozen round values that lie in [low, high].
std::vector<double> round_ticks(double low, double high);

}  // namespace pulsecast::benchmark
