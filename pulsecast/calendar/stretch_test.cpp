#include "pulsecast/calendar/stretch.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

std::string message_of(std::string_view text, const std::optional<Step>& step) {
  try {
    return std::to_string(steps_in(text, step, Place::of_setting("horizon"), 1));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.place().setting, "horizon");
    return error.message();
  }
}

TEST(Stretch, StepsAreTakenAsTheyAre) {
  EXPECT_EQ(message_of("96", std::nullopt), "96");
  EXPECT_EQ(message_of("1", Step::parse("1mo")), "1");
}

TEST(Stretch, ATimeIsCountedInSteps) {
  EXPECT_EQ(message_of("48h", Step::parse("1h")), "48");
  EXPECT_EQ(message_of("7d", Step::parse("15min")), "672");
  EXPECT_EQ(message_of("2w", Step::parse("1d")), "14");
  EXPECT_EQ(message_of("1y", Step::parse("1mo")), "12");
}

TEST(Stretch, BusinessFrequenciesHaveTheirUnits) {
  EXPECT_EQ(message_of("12mo", Step::parse("1mo")), "12");
  EXPECT_EQ(message_of("12mo", Step::parse("1me")), "12") << "a month to a month end is a month";
  EXPECT_EQ(message_of("12mo", Step::parse("3me")), "4");
  EXPECT_EQ(message_of("4q", Step::parse("1q")), "4");
  EXPECT_EQ(message_of("2q", Step::parse("1mo")), "6");
  EXPECT_EQ(message_of("2y", Step::parse("1q")), "8");
  EXPECT_EQ(message_of("10b", Step::parse("1b")), "10");
  EXPECT_EQ(message_of("2w", Step::parse("1b")), "10") << "a week has five";
  EXPECT_EQ(message_of("13w", Step::parse("7d")), "13");
  EXPECT_EQ(message_of("10d", Step::parse("1b")), "'10d' is not a whole number of steps of 1b");
  EXPECT_EQ(message_of("5b", Step::parse("1d")), "'5b' is not a whole number of steps of 1d");
  EXPECT_EQ(message_of("1mo", Step::parse("1b")), "'1mo' is not a whole number of steps of 1b");
  EXPECT_EQ(message_of("5mo", Step::parse("1q")), "'5mo' is not a whole number of steps of 3mo");
}

TEST(Stretch, SaysWhatIsWrong) {
  EXPECT_EQ(message_of("90min", Step::parse("1h")), "'90min' is not a whole number of steps of 1h");
  EXPECT_EQ(message_of("1mo", Step::parse("1h")), "'1mo' is not a whole number of steps of 1h");
  EXPECT_EQ(message_of("1s", Step::parse("1h")), "'1s' is not a whole number of steps of 1h");
  EXPECT_EQ(message_of("soon", Step::parse("1h")),
            "expected steps such as 96, or a time such as 48h, 7d or 12mo; got 'soon'");
  EXPECT_EQ(message_of("", Step::parse("1h")),
            "expected steps such as 96, or a time such as 48h, 7d or 12mo; got ''");
  EXPECT_EQ(message_of("0", std::nullopt), "expected 1 to 100000 steps, got 0");
  EXPECT_EQ(message_of("-3", std::nullopt), "expected 1 to 100000 steps, got -3");
  EXPECT_EQ(message_of("100001", std::nullopt), "expected 1 to 100000 steps, got 100001");
  EXPECT_EQ(message_of("48h", std::nullopt),
            "'48h' is a time, but the step of the rows is not known");
}

}  // namespace
}  // namespace pulsecast
