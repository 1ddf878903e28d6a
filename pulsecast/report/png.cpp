#include "pulsecast/report/png.h"

#include <cmath>
#include <memory>
#include <numbers>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/report/cairo.h"
#include "pulsecast/report/palette.h"

namespace pulsecast::report {
namespace {

constexpr double kFontSize = 13.0;

class Painter {
 public:
  Painter(const Drawing& drawing, double scale)
      : surface_(cairo_.image_surface_create(Cairo::kRgb24, pixels(drawing.width, scale),
                                             pixels(drawing.height, scale)),
                 cairo_.surface_destroy),
        context_(cairo_.create(surface_.get()), cairo_.destroy) {
    if (cairo_.surface_status(surface_.get()) != Cairo::kSuccess) {
      throw_error(ErrorKind::kInputOutput, "cairo", "there is no memory for a picture of {} x {}",
                  pixels(drawing.width, scale), pixels(drawing.height, scale));
    }
    cairo_.scale(context(), scale, scale);
    colour(kPaperColour);
    cairo_.paint(context());
    cairo_.set_font_size(context(), kFontSize);
    cairo_.set_line_join(context(), Cairo::kRoundJoin);
  }

  void operator()(const Stroke& stroke) {
    colour(colour_of(stroke.paint));
    path(stroke.points);
    const std::vector<double> dash = dash_lengths(stroke.dash);
    cairo_.set_dash(context(), dash.data(), static_cast<int>(dash.size()), 0.0);
    cairo_.set_line_width(context(), stroke.width);
    cairo_.stroke(context());
  }

  void operator()(const Area& area) {
    colour(colour_of(area.paint), area.opacity);
    path(area.points);
    cairo_.close_path(context());
    cairo_.fill(context());
  }

  void operator()(const Mark& mark) {
    colour(colour_of(mark.paint));
    std::vector<PlanePoint> corners = mark_corners(mark.shape);
    for (auto& [x, y] : corners) {
      x += mark.x;
      y += mark.y;
    }
    if (corners.empty()) {
      cairo_.arc(context(), mark.x, mark.y, kMarkRadius, 0.0, 2.0 * std::numbers::pi);
    } else {
      path(corners);
    }
    cairo_.close_path(context());
    cairo_.fill(context());
  }

  void operator()(const Label& label) {
    colour(kInkColour);
    cairo_.select_font_face(context(), "sans-serif", Cairo::kNormal,
                            label.is_bold ? Cairo::kBold : Cairo::kNormal);
    Cairo::TextExtents extents{};
    cairo_.text_extents(context(), label.text.c_str(), &extents);
    constexpr double kShares[] = {0.0, 0.5, 1.0};
    cairo_.save(context());
    cairo_.translate(context(), label.x, label.y);
    if (label.is_upward) cairo_.rotate(context(), -std::numbers::pi / 2);
    cairo_.move_to(context(), -extents.x_advance * kShares[static_cast<std::size_t>(label.anchor)],
                   0.0);
    cairo_.show_text(context(), label.text.c_str());
    cairo_.restore(context());
  }

  std::string bytes() {
    std::string file;
    const int status = cairo_.surface_write_to_png_stream(
        surface_.get(),
        [](void* closure, const unsigned char* data, unsigned length) {
          // Nothing may be thrown through a C library.
          try {
            static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
          } catch (const std::bad_alloc&) {
            return Cairo::kWriteError;
          }
          return Cairo::kSuccess;
        },
        &file);
    if (status != Cairo::kSuccess) {
      throw_error(ErrorKind::kInputOutput, "cairo", "the picture could not be written, status {}",
                  status);
    }
    return file;
  }

 private:
  static int pixels(double units, double scale) {
    return static_cast<int>(std::lround(units * scale));
  }
  CairoContext* context() { return context_.get(); }
  void colour(std::uint32_t rgb, double opacity = 1.0) {
    const auto part = [&](unsigned shift) { return ((rgb >> shift) & 0xffU) / 255.0; };
    cairo_.set_source_rgba(context(), part(16), part(8), part(0), opacity);
  }
  void path(const std::vector<PlanePoint>& points) {
    bool is_first = true;
    for (const auto& [x, y] : points) {
      (is_first ? cairo_.move_to : cairo_.line_to)(context(), x, y);
      is_first = false;
    }
  }

  const Cairo& cairo_ = cairo();
  std::unique_ptr<CairoSurface, void (*)(CairoSurface*)> surface_;
  std::unique_ptr<CairoContext, void (*)(CairoContext*)> context_;
};

}  // namespace

std::string to_png(const Drawing& drawing, double scale) {
  Painter painter(drawing, scale);
  for (const Shape& shape : drawing.shapes) std::visit(painter, shape);
  return painter.bytes();
}

}  // namespace pulsecast::report
