#include <fmt/format.h>

#include "pulsecast/report/assets.h"
#include "pulsecast/report/drawing.h"
#include "pulsecast/report/escaped.h"

namespace pulsecast::report {
namespace {

std::string class_of(const Paint& paint) {
  switch (paint.role) {
    case Paint::Role::kSoft:
      return "soft";
    case Paint::Role::kFaint:
      return "faint";
    case Paint::Role::kSeries:
      return fmt::format("series-{}", paint.series % kSeriesColours);
    case Paint::Role::kInk:
      break;
  }
  return "ink";
}

std::string points_text(const std::vector<PlanePoint>& points) {
  std::string text;
  for (const auto& [x, y] : points) {
    text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", x, y);
  }
  return text;
}

std::string svg_of(const Stroke& stroke) {
  std::string dash;
  for (const double length : dash_lengths(stroke.dash)) {
    dash += fmt::format("{}{:g}", dash.empty() ? "" : " ", length);
  }
  return fmt::format("<polyline class='{}' points='{}' stroke-width='{:g}'{}/>",
                     class_of(stroke.paint), points_text(stroke.points), stroke.width,
                     dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", dash));
}

std::string svg_of(const Area& area) {
  return fmt::format("<polygon class='{}' points='{}' opacity='{:g}'/>", class_of(area.paint),
                     points_text(area.points), area.opacity);
}

std::string svg_of(const Mark& mark) {
  const std::string title =
      mark.title.empty() ? "" : fmt::format("<title>{}</title>", escaped(mark.title));
  if (mark.shape == MarkShape::kCircle) {
    return fmt::format("<circle class='{}' cx='{:.1f}' cy='{:.1f}' r='{:g}'>{}</circle>",
                       class_of(mark.paint), mark.x, mark.y, kMarkRadius, title);
  }
  std::vector<PlanePoint> corners = mark_corners(mark.shape);
  for (auto& [x, y] : corners) {
    x += mark.x;
    y += mark.y;
  }
  return fmt::format("<polygon class='{}' points='{}'>{}</polygon>", class_of(mark.paint),
                     points_text(corners), title);
}

std::string svg_of(const Label& label) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  const std::string place =
      label.is_upward
          ? fmt::format("transform='translate({:.1f} {:.1f}) rotate(-90)'", label.x, label.y)
          : fmt::format("x='{:.1f}' y='{:.1f}'", label.x, label.y);
  return fmt::format("<text {} text-anchor='{}'{}>{}</text>", place,
                     kAnchors[static_cast<std::size_t>(label.anchor)],
                     label.is_bold ? " class='title'" : "", escaped(label.text));
}

std::string element(const Drawing& drawing, const std::string& attributes,
                    const std::string& style) {
  std::string text =
      fmt::format("<svg{} viewBox='0 0 {:.0f} {:.0f}' role='img' aria-label='{}'>{}", attributes,
                  drawing.width, drawing.height, escaped(drawing.title), style);
  for (const Shape& shape : drawing.shapes) {
    text += std::visit([](const auto& each) { return svg_of(each); }, shape);
  }
  return text + "</svg>\n";
}

}  // namespace

std::vector<double> dash_lengths(std::size_t dash) {
  switch (dash % 5) {
    case 1:
      return {7, 3};
    case 2:
      return {2, 3};
    case 3:
      return {10, 3, 2, 3};
    case 4:
      return {14, 4};
    default:
      return {};
  }
}

std::vector<PlanePoint> mark_corners(MarkShape shape) {
  switch (shape) {
    case MarkShape::kCircle:
      return {};
    case MarkShape::kSquare:
      return {{-3.6, -3.6}, {3.6, -3.6}, {3.6, 3.6}, {-3.6, 3.6}};
    case MarkShape::kTriangle:
      return {{0, -4.8}, {4.6, 3.4}, {-4.6, 3.4}};
    case MarkShape::kDiamond:
      return {{0, -5.2}, {4.4, 0}, {0, 5.2}, {-4.4, 0}};
    case MarkShape::kCross:
      return {{-1.5, -4.8}, {1.5, -4.8}, {1.5, -1.5}, {4.8, -1.5}, {4.8, 1.5},   {1.5, 1.5},
              {1.5, 4.8},   {-1.5, 4.8}, {-1.5, 1.5}, {-4.8, 1.5}, {-4.8, -1.5}, {-1.5, -1.5}};
  }
  return {};
}

std::string to_svg(const Drawing& drawing) {
  return drawing.is_empty() ? "" : element(drawing, " class='chart'", "");
}

std::string to_svg_file(const Drawing& drawing) {
  return element(drawing,
                 fmt::format(" xmlns='http://www.w3.org/2000/svg' class='chart alone' "
                             "width='{:.0f}' height='{:.0f}'",
                             drawing.width, drawing.height),
                 fmt::format("<style>\n{}</style>", kChartStyle));
}

}  // namespace pulsecast::report
