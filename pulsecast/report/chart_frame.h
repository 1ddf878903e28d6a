// From the values of a chart to places on its plane.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "pulsecast/report/chart.h"

namespace pulsecast::report {

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);
  // With a margin, and never of no width.
  Extent widened(double share) const;
};

class ChartFrame {
 public:
  explicit ChartFrame(const Chart& chart);

  bool is_empty() const { return is_empty_; }
  bool is_drawable(double x, double y) const;
  double x(double value) const;
  double y(double value) const;
  double left() const { return kLeft; }
  double right() const { return width_ - kRight; }
  double top() const { return kTop; }
  double bottom() const { return height_ - kBottom; }
  std::vector<double> x_ticks() const;
  std::vector<double> y_ticks() const { return round_ticks(y_.low, y_.high); }

 private:
  static constexpr double kLeft = 64.0, kRight = 14.0, kTop = 30.0, kBottom = 44.0;
  double x_value(double x) const;

  double width_;
  double height_;
  bool log_x_;
  std::vector<double> given_ticks_;
  bool is_empty_ = false;
  Extent x_;
  Extent y_;
};

}  // namespace pulsecast::report
