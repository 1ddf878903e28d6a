#include "pulsecast/search/budget.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"

namespace pulsecast::search {
namespace {

TEST(Budget, IsATimeOrSteps) {
  EXPECT_EQ(parse_budget("30s", 0)->seconds, 30.0);
  EXPECT_EQ(parse_budget("5m", 0)->seconds, 300.0);
  EXPECT_EQ(parse_budget("1.5h", 0)->seconds, 5400.0);
  EXPECT_EQ(parse_budget("2000steps", 0)->steps, 2000);
  EXPECT_FALSE(parse_budget("2000steps", 0)->seconds);
  EXPECT_FALSE(parse_budget("none", 0));
}

TEST(Budget, GrowsSlowlyWithTheRows) {
  const auto seconds = [](std::size_t values) { return *parse_budget("auto", values)->seconds; };
  EXPECT_GE(seconds(60), 10.0);
  EXPECT_LT(seconds(100'000), seconds(10'000'000));
  EXPECT_LT(seconds(10'000'000), 2.5 * seconds(100'000));
}

TEST(Budget, SaysWhatItWouldUnderstand) {
  for (const char* text : {"", "s", "-5s", "5", "5 minutes", "0s", "nan s", "1.5steps", "1e9h"}) {
    try {
      parse_budget(text, 0);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.message()).find("30s, 5m or 2h"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace pulsecast::search
