#include "pulsecast/forecast/value_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast {
namespace {

std::string text_of(double level, double unit, double value) {
  ChannelForecast channel;
  channel.level = level;
  channel.unit = unit;
  std::string text;
  append_value(text, channel, value);
  return text;
}

TEST(ValueText, KeepsWhatTheScaleTellsApart) {
  EXPECT_EQ(text_of(123613728.0, 0.5, 123613728.73), "123613728.73");
  EXPECT_EQ(text_of(1e9, 0.03, 1e9 + 0.03), "1000000000.03");
  EXPECT_EQ(text_of(0.0, 1.0, 0.1F), "0.1");
  EXPECT_EQ(text_of(10.0, 2.0, 10.0), "10");
  EXPECT_EQ(text_of(0.0, 1.0, 0.0), "0");
}

TEST(ValueText, ValuesOfRowsReadBackAsTheyAre) {
  for (const double value : {123613728.73, 1.0 / 3.0, -4.0, 5.5}) {
    EXPECT_EQ(std::stod(text_of(0.0, 0.0, value)), value);
  }
  EXPECT_EQ(text_of(0.0, 0.0, 5.5), "5.5");
}

TEST(ValueText, ReadsBackToTheSameFloatOnTheScale) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const double level = std::pow(10.0, static_cast<double>(i % 12)) * static_cast<double>(i % 7);
    const double unit = std::pow(10.0, static_cast<double>(i % 9) - 4.0);
    const float x = static_cast<float>(std::sin(static_cast<double>(i) * 12.9898) * 3.0);
    const double value = level + unit * static_cast<double>(x);
    const double read = std::stod(text_of(level, unit, value));
    EXPECT_EQ(static_cast<float>((read - level) / unit), static_cast<float>((value - level) / unit))
        << level << " + " << unit << " * " << x;
  }
}

}  // namespace
}  // namespace pulsecast
