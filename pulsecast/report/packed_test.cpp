#include "pulsecast/report/packed.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace pulsecast::report {
namespace {

TEST(Packed, Base64AsEverybodyHasIt) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
}

TEST(Packed, LowIsZeroHighIsTheLastAndAGapIsMarked) {
  const std::vector<double> values = {-1.0, 1.0, std::numeric_limits<double>::quiet_NaN()};
  const auto json = packed(std::span(values));
  EXPECT_EQ(json["lo"], -1.0);
  EXPECT_EQ(json["hi"], 1.0);
  EXPECT_EQ(json["q"], to_base64(std::string("\x00\x00\xfe\xff\xff\xff", 6)));
}

TEST(Packed, OneValueAndNoneAreFine) {
  const std::vector<double> same = {4.0, 4.0};
  EXPECT_EQ(packed(std::span(same))["q"], to_base64(std::string(4, '\0')));
  EXPECT_EQ(packed(std::span<const double>())["q"], "");
}

TEST(Packed, StampsAreDistancesAndHowOften) {
  const std::vector<Instant> stamps = {{1000}, {3'601'000}, {7'201'000}, {7'202'000}};
  EXPECT_EQ(packed_stamps(stamps).dump(), "[1.0,3600.0,2,1.0,1]");
  EXPECT_EQ(packed_stamps({}).dump(), "[]");
}

}  // namespace
}  // namespace pulsecast::report
