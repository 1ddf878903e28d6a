// The few functions of libcairo.so.2 that pictures need, found at run time. Its interface has been
// the same since 2005; the numbers below are those of its headers.
#pragma once

namespace pulsecast::report {

struct CairoSurface;
struct CairoContext;

struct Cairo {
  static constexpr int kRgb24 = 1;        // CAIRO_FORMAT_RGB24
  static constexpr int kSuccess = 0;      // CAIRO_STATUS_SUCCESS
  static constexpr int kWriteError = 11;  // CAIRO_STATUS_WRITE_ERROR
  static constexpr int kNormal = 0;       // of both slant and weight
  static constexpr int kBold = 1;         // CAIRO_FONT_WEIGHT_BOLD
  static constexpr int kRoundJoin = 1;    // CAIRO_LINE_JOIN_ROUND
  struct TextExtents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
  };
  using Write = int (*)(void* closure, const unsigned char* data, unsigned length);

  CairoSurface* (*image_surface_create)(int format, int width, int height);
  int (*surface_status)(CairoSurface*);
  void (*surface_destroy)(CairoSurface*);
  int (*surface_write_to_png_stream)(CairoSurface*, Write, void* closure);
  CairoContext* (*create)(CairoSurface*);
  void (*destroy)(CairoContext*);
  void (*scale)(CairoContext*, double x, double y);
  void (*save)(CairoContext*);
  void (*restore)(CairoContext*);
  void (*translate)(CairoContext*, double x, double y);
  void (*rotate)(CairoContext*, double angle);
  void (*set_source_rgba)(CairoContext*, double r, double g, double b, double a);
  void (*set_line_width)(CairoContext*, double);
  void (*set_line_join)(CairoContext*, int);
  void (*set_dash)(CairoContext*, const double* lengths, int count, double offset);
  void (*move_to)(CairoContext*, double x, double y);
  void (*line_to)(CairoContext*, double x, double y);
  void (*arc)(CairoContext*, double x, double y, double radius, double from, double to);
  void (*close_path)(CairoContext*);
  void (*stroke)(CairoContext*);
  void (*fill)(CairoContext*);
  void (*paint)(CairoContext*);
  void (*select_font_face)(CairoContext*, const char* family, int slant, int weight);
  void (*set_font_size)(CairoContext*, double);
  void (*text_extents)(CairoContext*, const char* text, TextExtents*);
  void (*show_text)(CairoContext*, const char* text);
};

// Throws Error(kInputOutput) where there is none. Loaded once, for good.
const Cairo& cairo();

}  // namespace pulsecast::report
