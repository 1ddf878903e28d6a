#include "pulsecast/report/allotment.h"

#include <gtest/gtest.h>

namespace pulsecast::report {
namespace {

TEST(Allotment, NeverMoreThanAPageHolds) {
  for (const std::size_t channels : {1u, 7u, 300u, 30'000u}) {
    for (const std::size_t horizon : {1u, 48u, 720u, 5000u}) {
      for (const std::size_t bands : {0u, 2u}) {
        const Allotment shown = allot({.channels = channels,
                                       .rows = 26'280,
                                       .lookback = 336,
                                       .horizon = horizon,
                                       .bands = bands,
                                       .origins = 5000});
        EXPECT_GE(shown.channels, 1u);
        if (shown.channels > 1) {
          EXPECT_LE(shown.values(), kPageValues) << channels << " " << horizon << " " << bands;
        }
      }
    }
  }
}

TEST(Allotment, FewChannelsAreShownWhole) {
  const Allotment shown =
      allot({.channels = 1, .rows = 500, .lookback = 96, .horizon = 24, .origins = 10});
  EXPECT_EQ(shown.channels, 1u);
  EXPECT_EQ(shown.history, 500u);
  EXPECT_EQ(shown.origins, 10u);
}

TEST(Allotment, ThreeHundredChannelsAllHaveCharts) {
  const Allotment shown =
      allot({.channels = 300, .rows = 26'280, .lookback = 96, .horizon = 48, .origins = 5000});
  EXPECT_EQ(shown.channels, 300u);
  EXPECT_GE(shown.origins, 4u);
}

}  // namespace
}  // namespace pulsecast::report
