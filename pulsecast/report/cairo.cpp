#include "pulsecast/report/cairo.h"

#include <dlfcn.h>

#include <string>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::report {
namespace {

constexpr const char* kLibrary = "libcairo.so.2";

[[noreturn]] void refuse(const std::string& why) {
  throw make_error(ErrorKind::kInputOutput, kLibrary, "a PNG is drawn by cairo: {}", why)
      .with(remedy::advice("install the package libcairo2 (Debian's name)"))
      .with(remedy::advice("ask for an .svg, which needs nothing"));
}

class Finder {
 public:
  Finder() : library_(dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) refuse(dlerror());
  }

  template <typename Function>
  void find(const char* name, Function& function) const {
    void* found = dlsym(library_, (std::string("cairo_") + name).c_str());
    if (found == nullptr) refuse(dlerror());
    function = reinterpret_cast<Function>(found);
  }

 private:
  void* library_;
};

Cairo load() {
  const Finder finder;
  Cairo all{};
  finder.find("image_surface_create", all.image_surface_create);
  finder.find("surface_status", all.surface_status);
  finder.find("surface_destroy", all.surface_destroy);
  finder.find("surface_write_to_png_stream", all.surface_write_to_png_stream);
  finder.find("create", all.create);
  finder.find("destroy", all.destroy);
  finder.find("scale", all.scale);
  finder.find("save", all.save);
  finder.find("restore", all.restore);
  finder.find("translate", all.translate);
  finder.find("rotate", all.rotate);
  finder.find("set_source_rgba", all.set_source_rgba);
  finder.find("set_line_width", all.set_line_width);
  finder.find("set_line_join", all.set_line_join);
  finder.find("set_dash", all.set_dash);
  finder.find("move_to", all.move_to);
  finder.find("line_to", all.line_to);
  finder.find("arc", all.arc);
  finder.find("close_path", all.close_path);
  finder.find("stroke", all.stroke);
  finder.find("fill", all.fill);
  finder.find("paint", all.paint);
  finder.find("select_font_face", all.select_font_face);
  finder.find("set_font_size", all.set_font_size);
  finder.find("text_extents", all.text_extents);
  finder.find("show_text", all.show_text);
  return all;
}

}  // namespace

const Cairo& cairo() {
  static const Cairo loaded = load();
  return loaded;
}

}  // namespace pulsecast::report
