#include "pulsecast/report/drawing.h"

#include <algorithm>

namespace pulsecast::report {
namespace {

void lower(std::vector<PlanePoint>& points, double by) {
  for (auto& point : points) point.second += by;
}
void lower(Stroke& stroke, double by) { lower(stroke.points, by); }
void lower(Area& area, double by) { lower(area.points, by); }
void lower(Mark& mark, double by) { mark.y += by; }
void lower(Label& label, double by) { label.y += by; }

}  // namespace

Drawing stacked(const std::vector<Drawing>& drawings) {
  Drawing all;
  for (const Drawing& drawing : drawings) {
    for (Shape shape : drawing.shapes) {
      std::visit([&](auto& each) { lower(each, all.height); }, shape);
      all.shapes.push_back(std::move(shape));
    }
    all.width = std::max(all.width, drawing.width);
    all.height += drawing.height;
  }
  return all;
}

}  // namespace pulsecast::report
