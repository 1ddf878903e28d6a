#include "pulsecast/paper/document.h"

#include <gtest/gtest.h>

namespace pulsecast::paper {
namespace {

Document example() {
  Table table{.caption = "errors"};
  table.above = {{"", 1}, {"H = 96", 2}};
  table.heading = {"model", "MSE", "MAE"};
  table.rows = {{{"a|b<c"}, {"0.36", "paper 0.35"}, {"-"}}};
  return {.title = "T & U",
          .lead = "lead",
          .headlines = {{"3 of 4", "cells"}},
          .blocks = {Heading{"Part", "part"}, Paragraph{"1 < 2"}, table},
          .made_by = "pulsecast"};
}

TEST(Document, HtmlEscapesEveryText) {
  const std::string html = to_html(example());
  for (const char* words :
       {"<h1>T &amp; U</h1>", "<a href='#part'>Part</a>", "<h2 id='part'>", "1 &lt; 2", "a|b&lt;c",
        "0.36<span class='spread'>paper 0.35</span>", "colspan='2'>H = 96"}) {
    EXPECT_NE(html.find(words), std::string::npos) << words << "\n" << html;
  }
}

TEST(Document, MarkdownHasOneLineOfHeadingsAndNotesInBrackets) {
  const std::string text = to_markdown(example());
  for (const char* words : {"# T & U", "- **3 of 4**: cells", "## Part",
                            "| model | H = 96 MSE | H = 96 MAE |\n|---|---|---|",
                            "| a\\|b<c | 0.36 (paper 0.35) | - |"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

}  // namespace
}  // namespace pulsecast::paper
