#include "pulsecast/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/report/chart_frame.h"

namespace pulsecast::report {
namespace {

constexpr double kLegendLine = 20.0;
constexpr double kCharacter = 7.2;  // about the width of one
constexpr std::size_t kMarkShapes = 5;

std::string tick_text(double value) {
  for (const auto& [unit, suffix] :
       {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")}) {
    if (std::abs(value) >= unit) return fmt::format("{:.4g}{}", value / unit, suffix);
  }
  return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

Paint paint_of(const ChartLine& line) {
  if (line.is_quiet) return {Paint::Role::kSoft};
  return {Paint::Role::kSeries, line.series};
}

// The truth is solid, and so is the first of the others: they differ in how dark they are.
std::size_t dash_of(const ChartLine& line) { return line.is_quiet ? 0 : line.series; }

MarkShape mark_of(const ChartLine& line) {
  return static_cast<MarkShape>(line.series % kMarkShapes);
}

class Layout {
 public:
  explicit Layout(const Chart& chart) : chart_(chart), frame_(chart) {}

  Drawing make() {
    if (frame_.is_empty()) return {};
    out_ = {.width = chart_.width, .height = chart_.height, .title = chart_.title};
    axes();
    for (const ChartBand& band : chart_.bands) add(band);
    for (const ChartLine& line : chart_.lines) add(line);
    legend();
    return std::move(out_);
  }

 private:
  void rule(PlanePoint from, PlanePoint to) {
    out_.shapes.push_back(Stroke{{from, to}, {Paint::Role::kFaint}, 1.0});
  }

  void axes() {
    for (const double tick : frame_.y_ticks()) {
      rule({frame_.left(), frame_.y(tick)}, {frame_.right(), frame_.y(tick)});
      out_.shapes.push_back(
          Label{frame_.left() - 6, frame_.y(tick) + 4, tick_text(tick), Label::Anchor::kEnd});
    }
    const std::vector<double> ticks = frame_.x_ticks();
    double free_from = 0.0;  // a name that would touch the one before it is left out
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const double x = frame_.x(ticks[i]);
      rule({x, frame_.top()}, {x, frame_.bottom()});
      const std::string name = i < chart_.x_names.size() ? chart_.x_names[i] : tick_text(ticks[i]);
      const double half = kCharacter * static_cast<double>(name.size()) / 2;
      if (x - half < free_from) continue;
      out_.shapes.push_back(Label{x, frame_.bottom() + 16, name, Label::Anchor::kMiddle});
      free_from = x + half + kCharacter;
    }
    out_.shapes.push_back(
        Label{.x = frame_.left(), .y = 18, .text = chart_.title, .is_bold = true});
    out_.shapes.push_back(Label{(frame_.left() + frame_.right()) / 2, chart_.height - 8,
                                chart_.x_label, Label::Anchor::kMiddle});
    out_.shapes.push_back(Label{.x = 14,
                                .y = (frame_.top() + frame_.bottom()) / 2,
                                .text = chart_.y_label,
                                .anchor = Label::Anchor::kMiddle,
                                .is_upward = true});
  }

  void add(const ChartBand& band) {
    Area area{{}, {Paint::Role::kSeries, band.series}, band.opacity};
    const auto whole = [&](const ChartBand::Place& place) {
      return frame_.is_drawable(place.x, place.low) && frame_.is_drawable(place.x, place.high);
    };
    for (const ChartBand::Place& place : band.places) {
      if (whole(place)) area.points.emplace_back(frame_.x(place.x), frame_.y(place.high));
    }
    for (auto place = band.places.rbegin(); place != band.places.rend(); ++place) {
      if (whole(*place)) area.points.emplace_back(frame_.x(place->x), frame_.y(place->low));
    }
    if (area.points.size() > 2) out_.shapes.push_back(std::move(area));
  }

  void end(Stroke& stroke) {
    if (chart_.has_lines && stroke.points.size() > 1) out_.shapes.push_back(stroke);
    stroke.points.clear();
  }

  void add(const ChartLine& line) {
    Stroke stroke{{}, paint_of(line), 2.0, dash_of(line)};
    for (const ChartPoint& point : line.points) {
      if (!frame_.is_drawable(point.x, point.y)) {
        end(stroke);
        continue;
      }
      stroke.points.emplace_back(frame_.x(point.x), frame_.y(point.y));
    }
    end(stroke);
    for (const ChartPoint& point : line.points) {
      if (!frame_.is_drawable(point.x, point.y)) continue;
      const double x = frame_.x(point.x);
      if (point.spread > 0.0 && std::isfinite(point.spread)) {
        out_.shapes.push_back(
            Stroke{{{x, frame_.y(point.y - point.spread)}, {x, frame_.y(point.y + point.spread)}},
                   paint_of(line),
                   1.5});
      }
      if (!chart_.has_marks) continue;
      const std::string spread =
          point.spread > 0.0 ? fmt::format(" ± {:.4g}", point.spread) : std::string();
      out_.shapes.push_back(
          Mark{x, frame_.y(point.y), mark_of(line), paint_of(line),
               fmt::format("{}: {:.4g}, {:.4g}{}", line.name, point.x, point.y, spread)});
    }
  }

  // Below the axes, as many in a row as there is room for.
  void legend() {
    std::size_t longest = 0;
    for (const ChartLine& line : chart_.lines) longest = std::max(longest, line.name.size());
    for (const ChartBand& band : chart_.bands) longest = std::max(longest, band.name.size());
    const double entry = 42.0 + kCharacter * static_cast<double>(longest);
    const auto across =
        std::max<std::size_t>(1, static_cast<std::size_t>((frame_.right() - 16.0) / entry));
    std::size_t i = 0;
    const auto place = [&] {
      const std::size_t line = i / across;
      const double x = 16.0 + entry * static_cast<double>(i % across);
      const double y = chart_.height + kLegendLine * static_cast<double>(line) + 8;
      ++i;
      return PlanePoint(x, y);
    };
    const auto name = [&](const PlanePoint& at, const std::string& text) {
      out_.shapes.push_back(Label{.x = at.first + 32, .y = at.second + 4, .text = text});
    };
    for (const ChartLine& line : chart_.lines) {
      const PlanePoint at = place();
      if (chart_.has_lines) {
        out_.shapes.push_back(
            Stroke{{at, {at.first + 26, at.second}}, paint_of(line), 2.0, dash_of(line)});
      }
      if (chart_.has_marks) {
        out_.shapes.push_back(Mark{at.first + 13, at.second, mark_of(line), paint_of(line)});
      }
      name(at, line.name);
    }
    for (const ChartBand& band : chart_.bands) {
      const PlanePoint at = place();
      const auto [x, y] = at;
      out_.shapes.push_back(Area{{{x, y - 6}, {x + 26, y - 6}, {x + 26, y + 6}, {x, y + 6}},
                                 {Paint::Role::kSeries, band.series},
                                 band.opacity});
      name(at, band.name);
    }
    const std::size_t lines = (i + across - 1) / across;
    out_.height += kLegendLine * static_cast<double>(lines);
  }

  const Chart& chart_;
  ChartFrame frame_;
  Drawing out_;
};

}  // namespace

Drawing draw(const Chart& chart) { return Layout(chart).make(); }

}  // namespace pulsecast::report
