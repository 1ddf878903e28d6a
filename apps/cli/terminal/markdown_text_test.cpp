#include "apps/cli/terminal/markdown_text.h"

#include <gtest/gtest.h>

namespace pulsecast::cli {
namespace {

TEST(MarkdownText, TablesBecomeColumnsAndMarksGo) {
  EXPECT_EQ(markdown_text("# A study\n\nWhat **won**, by `mse`:\n\n"
                          "| model | MSE |\n|---|---:|\n| pulse | **0.25** |\n| a\\|b | 10.5 |\n\n"
                          "![chart](chart.svg)\n<sub>small</sub> 3 < 4\n"),
            "A study\n\nWhat won, by mse:\n\n"
            "  model   MSE\n"
            "  pulse  0.25\n"
            "  a|b    10.5\n\n"
            "small 3 < 4\n");
}

}  // namespace
}  // namespace pulsecast::cli
