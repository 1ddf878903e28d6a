#include "pulsecast/benchmark/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pulsecast::benchmark {
namespace {

constexpr double kWidth = 480.0;
constexpr double kHeight = 300.0;
constexpr double kLeft = 64.0, kRight = 12.0, kTop = 30.0, kBottom = 44.0;
constexpr double kLegendLine = 20.0;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // With a margin, and never of no width.
  Extent widened(double share) const {
    const double margin = high > low ? share * (high - low) : std::max(0.05 * std::abs(high), 1e-6);
    return {low - margin, high + margin};
  }
};

// From values to places on the page.
class Frame {
 public:
  explicit Frame(const Chart& chart) : log_x_(chart.log_x), given_ticks_(chart.x_ticks) {
    Extent x, y;
    for (const ChartLine& line : chart.lines) {
      for (const auto& [px, py] : line.points) {
        if (!drawable(px, py)) continue;
        x.add(x_value(px));
        y.add(py);
      }
    }
    is_empty_ = x.low > x.high;
    x_ = x.widened(0.04);
    y_ = y.widened(0.08);
  }

  bool is_empty() const { return is_empty_; }
  bool drawable(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && (!log_x_ || x > 0.0);
  }
  double x(double value) const {
    return kLeft + (x_value(value) - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return kHeight - kBottom - (value - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom);
  }
  const Extent& y_extent() const { return y_; }
  std::vector<double> x_ticks() const {
    if (!given_ticks_.empty()) return given_ticks_;
    if (!log_x_) return round_ticks(x_.low, x_.high);
    constexpr double kFewPowers = 3.0;
    const bool has_room = x_.high - x_.low < kFewPowers;
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(x_.low)); power <= x_.high; ++power) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit > 1.0 && !has_room) continue;
        const double place = power + std::log10(digit);
        if (place >= x_.low && place <= x_.high) ticks.push_back(std::pow(10.0, place));
      }
    }
    // Between two powers there may be none.
    return ticks.empty() ? round_ticks(std::pow(10.0, x_.low), std::pow(10.0, x_.high)) : ticks;
  }

 private:
  double x_value(double x) const { return log_x_ ? std::log10(x) : x; }

  bool log_x_;
  std::vector<double> given_ticks_;
  bool is_empty_ = false;
  Extent x_;
  Extent y_;
};

std::string tick_text(double value) {
  for (const auto& [unit, suffix] :
       {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")}) {
    if (std::abs(value) >= unit) return fmt::format("{:.4g}{}", value / unit, suffix);
  }
  return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

std::string axes(const Chart& chart, const Frame& frame) {
  const double bottom = kHeight - kBottom;
  std::string text;
  for (const double tick : round_ticks(frame.y_extent().low, frame.y_extent().high)) {
    text += fmt::format(
        "<line class='grid' x1='{0:.0f}' x2='{1:.0f}' y1='{2:.1f}' y2='{2:.1f}'/>"
        "<text x='{3:.0f}' y='{4:.1f}' text-anchor='end'>{5}</text>",
        kLeft, kWidth - kRight, frame.y(tick), kLeft - 6, frame.y(tick) + 4, tick_text(tick));
  }
  const std::vector<double> ticks = frame.x_ticks();
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double tick = ticks[i];
    const bool is_named = i < chart.x_names.size();
    text += fmt::format(
        "<line class='grid' x1='{0:.1f}' x2='{0:.1f}' y1='{1:.0f}' y2='{2:.0f}'/>"
        "<text x='{0:.1f}' y='{3:.0f}' text-anchor='middle'>{4}</text>",
        frame.x(tick), kTop, bottom, bottom + 16,
        is_named ? escaped(chart.x_names[i]) : tick_text(tick));
  }
  return text + fmt::format(
                    "<text class='title' x='{:.0f}' y='18'>{}</text>"
                    "<text x='{:.0f}' y='{:.0f}' text-anchor='middle'>{}</text>"
                    "<text transform='translate(14 {:.0f}) rotate(-90)' "
                    "text-anchor='middle'>{}</text>",
                    kLeft, escaped(chart.title), (kLeft + kWidth) / 2, kHeight - 8,
                    escaped(chart.x_label), (kTop + bottom) / 2, escaped(chart.y_label));
}

std::string line_class(const ChartLine& line) {
  return line.is_quiet ? "truth" : fmt::format("series-{}", line.series % 7);
}

// Colours are seven and shapes five, so that 35 lines differ and none needs its colour to be told
// from its neighbours.
std::string mark(const ChartLine& line, double x, double y) {
  switch (line.series % 5) {
    case 1:
      return fmt::format("<path class='mark' d='M{:.1f},{:.1f}h7v7h-7z'", x - 3.5, y - 3.5);
    case 2:
      return fmt::format("<path class='mark' d='M{:.1f},{:.1f}l5,8.5h-10z'", x, y - 5.5);
    case 3:
      return fmt::format("<path class='mark' d='M{:.1f},{:.1f}l5,5l-5,5l-5,-5z'", x, y - 5);
    case 4:
      return fmt::format("<path class='mark' d='M{:.1f},{:.1f}l5,-8.5h-10z'", x, y + 5.5);
    default:
      return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4'", x, y);
  }
}

// Where there are no marks, dashes tell.
std::string polyline(const ChartLine& line, const Chart& chart, const std::string& points) {
  constexpr std::array<const char*, 5> kDashes = {"", "8 3", "2 3", "8 3 2 3", "14 4"};
  const bool is_solid = chart.has_marks || line.is_quiet || line.series % 5 == 0;
  return fmt::format(
      "<polyline points='{}'{}/>", points,
      is_solid ? "" : fmt::format(" stroke-dasharray='{}'", kDashes[line.series % 5]));
}

std::string drawn(const ChartLine& line, const Chart& chart, const Frame& frame) {
  std::string path, marks;
  for (const auto& [x, y] : line.points) {
    if (!frame.drawable(x, y)) continue;
    path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", frame.x(x), frame.y(y));
    marks +=
        fmt::format("{}><title>{}: {:.4g}, {:.4g}</title></{}>", mark(line, frame.x(x), frame.y(y)),
                    escaped(line.name), x, y, line.series % 5 == 0 ? "circle" : "path");
  }
  std::string text = fmt::format("<g class='{}'>", line_class(line));
  if (chart.has_lines) text += polyline(line, chart, path);
  if (chart.has_marks) text += marks;
  return text + "</g>";
}

// Below the axes, two in a row.
std::string legend(const Chart& chart) {
  std::string text;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const double x = i % 2 == 0 ? kLeft : (kLeft + kWidth) / 2;
    const std::size_t row = i / 2;
    const double y = kHeight + kLegendLine * static_cast<double>(row) + 8;
    const ChartLine& line = chart.lines[i];
    text += fmt::format("<g class='{}'>", line_class(line));
    if (chart.has_lines) {
      text += polyline(line, chart, fmt::format("{:.0f},{:.0f} {:.0f},{:.0f}", x, y, x + 30, y));
    }
    if (chart.has_marks) text += mark(line, x + 15, y) + "/>";
    text +=
        fmt::format("</g><text x='{:.0f}' y='{:.0f}'>{}</text>", x + 36, y + 4, escaped(line.name));
  }
  return text;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::vector<double> round_ticks(double low, double high) {
  constexpr double kWanted = 5.0;
  const double rough = (high - low) / kWanted;
  if (!(rough > 0.0) || !std::isfinite(rough)) return {};
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= rough) step = digit * power;
  }
  std::vector<double> ticks;
  for (double i = std::ceil(low / step); i * step <= high; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string to_svg(const Chart& chart) {
  const Frame frame(chart);
  if (frame.is_empty()) return "";
  const std::size_t legend_rows = (chart.lines.size() + 1) / 2;
  const double legend_height = kLegendLine * static_cast<double>(legend_rows);
  std::string text = fmt::format("<svg viewBox='0 0 {:.0f} {:.0f}' role='img' aria-label='{}'>",
                                 kWidth, kHeight + legend_height, escaped(chart.title));
  text += axes(chart, frame);
  for (const ChartLine& line : chart.lines) text += drawn(line, chart, frame);
  return text + legend(chart) + "</svg>\n";
}

}  // namespace pulsecast::benchmark
