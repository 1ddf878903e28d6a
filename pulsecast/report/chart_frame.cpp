#include "pulsecast/report/chart_frame.h"

#include <algorithm>
#include <cmath>

namespace pulsecast::report {

void Extent::add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

Extent Extent::widened(double share) const {
  const double margin = high > low ? share * (high - low) : std::max(0.05 * std::abs(high), 1e-6);
  return {low - margin, high + margin};
}

ChartFrame::ChartFrame(const Chart& chart)
    : width_(chart.width), height_(chart.height), log_x_(chart.log_x), given_ticks_(chart.x_ticks) {
  Extent x, y;
  const auto add = [&](double px, double py) {
    if (!is_drawable(px, py)) return;
    x.add(x_value(px));
    y.add(py);
  };
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) {
      add(point.x, point.y);
      if (point.spread > 0.0) {
        add(point.x, point.y - point.spread);
        add(point.x, point.y + point.spread);
      }
    }
  }
  for (const ChartBand& band : chart.bands) {
    for (const ChartBand::Place& place : band.places) {
      add(place.x, place.low);
      add(place.x, place.high);
    }
  }
  is_empty_ = x.low > x.high;
  x_ = x.widened(chart.has_marks ? 0.04 : 0.0);
  y_ = y.widened(0.08);
}

bool ChartFrame::is_drawable(double x, double y) const {
  return std::isfinite(x) && std::isfinite(y) && (!log_x_ || x > 0.0);
}

double ChartFrame::x(double value) const {
  return left() + (x_value(value) - x_.low) / (x_.high - x_.low) * (right() - left());
}

double ChartFrame::y(double value) const {
  return bottom() - (value - y_.low) / (y_.high - y_.low) * (bottom() - top());
}

std::vector<double> ChartFrame::x_ticks() const {
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

double ChartFrame::x_value(double x) const { return log_x_ ? std::log10(x) : x; }

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

}  // namespace pulsecast::report
