#include "pulsecast/report/page.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace pulsecast::report {
namespace {

std::string table_of(std::size_t columns, const std::string& cell) {
  Table table("Errors");
  table.heading(std::vector<std::pair<std::string, std::size_t>>(columns, {"H", 1}));
  table.row(std::vector<std::string>(columns, cell));
  return table.html();
}

bool says(const std::string& html, const char* words) {
  return html.find(words) != std::string::npos;
}

// Wider than a screen is a matter of what stands in the columns, not of how many there are.
TEST(Table, SaysThatItGoesOnSidewaysWhereItDoes) {
  const std::string noted = "0.3720<span class='spread'>paper 0.372, 1.000</span>";
  EXPECT_TRUE(says(table_of(11, noted), "hint desk'>11 columns"));
  EXPECT_FALSE(says(table_of(7, noted), "hint desk"));
  EXPECT_TRUE(says(table_of(7, noted), "'hint'>7 columns")) << "on a phone";
  EXPECT_FALSE(says(table_of(14, "0.372"), "hint desk"));
  EXPECT_FALSE(says(table_of(3, "0.372"), "hint"));
}

}  // namespace
}  // namespace pulsecast::report
