#include "pulsecast/report/past_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pulsecast::report {
namespace {

TEST(PastErrors, AreMeansByStepHourAndMonth) {
  PastErrors errors(2);
  constexpr std::int64_t kHour = 3'600'000;
  // 1970-01-31 23:00 and 1970-02-01 00:00.
  const std::vector<Instant> stamps = {{(30 * 24 + 23) * kHour}, {31 * 24 * kHour}};
  const Zone utc;
  errors.add(stamps, utc, std::vector<double>{1.0, 5.0}, std::vector<double>{0.0, 2.0});
  errors.add(stamps, utc, std::vector<double>{3.0, 9.0},
             std::vector<double>{0.0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(errors.by_step(), (std::vector<double>{2.0, 3.0}));
  EXPECT_EQ(errors.by_hour()[23], 2.0);
  EXPECT_EQ(errors.by_hour()[0], 3.0);
  EXPECT_TRUE(std::isnan(errors.by_hour()[12])) << "nothing was scored there";
  EXPECT_EQ(errors.by_month()[0], 2.0);
  EXPECT_EQ(errors.by_month()[1], 3.0);
}

}  // namespace
}  // namespace pulsecast::report
