// Shapes on a plane, before it is decided what they are written as: SVG in a page, SVG in a file,
// PNG.
//
// Colours are roles. A page has their values in its style, for light and dark; a PNG those of
// light (palette.h).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pulsecast::report {

struct Paint {
  enum class Role : std::uint8_t { kInk, kSoft, kFaint, kSeries };
  Role role = Role::kInk;
  std::size_t series = 0;  // of kSeries; past kSeriesColours they come round
};

inline constexpr std::size_t kSeriesColours = 7;

using PlanePoint = std::pair<double, double>;  // x to the right, y downwards

struct Stroke {
  std::vector<PlanePoint> points;
  Paint paint;
  double width = 2.0;
  std::size_t dash = 0;  // 0: solid; others are told apart without colour
};

struct Area {
  std::vector<PlanePoint> points;  // its outline
  Paint paint;
  double opacity = 0.2;
};

enum class MarkShape : std::uint8_t { kCircle, kSquare, kTriangle, kDiamond, kCross };

struct Mark {
  double x = 0.0;
  double y = 0.0;
  MarkShape shape = MarkShape::kCircle;
  Paint paint;
  std::string title = {};  // shown by a page when it is pointed at
};

struct Label {
  enum class Anchor : std::uint8_t { kStart, kMiddle, kEnd };
  double x = 0.0;
  double y = 0.0;  // of the baseline
  std::string text;
  Anchor anchor = Anchor::kStart;
  bool is_bold = false;
  bool is_upward = false;  // read from bottom to top
};

using Shape = std::variant<Stroke, Area, Mark, Label>;

struct Drawing {
  double width = 0.0;
  double height = 0.0;
  std::string title = {};  // for those who cannot see it
  std::vector<Shape> shapes = {};

  bool is_empty() const { return shapes.empty(); }
};

// One below the other.
Drawing stacked(const std::vector<Drawing>& drawings);

// The lengths of line and gap of a dash, in units of the drawing; of 0 there are none.
std::vector<double> dash_lengths(std::size_t dash);
// The corners of a mark, around (0, 0); of a circle none: its radius is kMarkRadius.
std::vector<PlanePoint> mark_corners(MarkShape shape);
inline constexpr double kMarkRadius = 4.0;

// One element, for a page that has the style of charts. "" of an empty drawing.
std::string to_svg(const Drawing& drawing);
// A file of its own, with that style inside.
std::string to_svg_file(const Drawing& drawing);

}  // namespace pulsecast::report
