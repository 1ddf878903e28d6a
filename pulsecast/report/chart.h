// A chart as data: lines, bands and points over one axis; and how it is laid out as shapes.
//
// In a page it is drawn 480 units across and scales with it: on a phone's width its text is still
// 10 pixels high. Lines are told apart by colour, by dash and by the shape of their marks, in the
// chart and in its legend, so that a print in grey can be read.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/report/drawing.h"

namespace pulsecast::report {

struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
  double spread = 0.0;  // drawn as a bar of y - spread to y + spread
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points = {};  // one that is not finite leaves a gap
  std::size_t series = 0;               // which colour, dash and mark
  bool is_quiet = false;                // the truth that others are measured against
};

// Between two lines, behind all of them.
struct ChartBand {
  struct Place {
    double x = 0.0;
    double low = 0.0;
    double high = 0.0;
  };
  std::string name;
  std::vector<Place> places = {};
  std::size_t series = 0;
  double opacity = 0.2;
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
  std::vector<ChartBand> bands = {};
  std::vector<ChartLine> lines = {};
  double width = 480.0;
  double height = 300.0;  // without the legend
};

// Empty where there is no point to draw.
Drawing draw(const Chart& chart);

// Around half a dozen round values that lie in [low, high].
std::vector<double> round_ticks(double low, double high);

}  // namespace pulsecast::report
