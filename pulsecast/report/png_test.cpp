#include "pulsecast/report/png.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/report/chart.h"

namespace pulsecast::report {
namespace {

// With cairo a PNG of the size asked for, without it the reason and what to do.
TEST(Png, IsDrawnOrRefusedWithARemedy) {
  Chart chart;
  chart.lines = {{.name = "b", .points = {{0, 1}, {1, 2}}}};
  const Drawing drawing = draw(chart);
  if (dlopen("libcairo.so.2", RTLD_NOW) != nullptr) {
    const std::string png = to_png(drawing, 1.0);
    ASSERT_GT(png.size(), 24u);
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    const auto* size = reinterpret_cast<const unsigned char*>(png.data() + 16);
    EXPECT_EQ(size[2] * 256 + size[3], 480) << "its width";
    EXPECT_EQ(png, to_png(drawing, 1.0)) << "the same every time";
    return;
  }
  try {
    to_png(drawing);
    ADD_FAILURE() << "drawn without cairo";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_EQ(error.remedies().size(), 2u);
  }
}

}  // namespace
}  // namespace pulsecast::report
