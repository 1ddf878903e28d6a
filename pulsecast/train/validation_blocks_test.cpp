#include "pulsecast/train/validation_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pulsecast::train {
namespace {

constexpr RowRange kTrain{0, 9000};
constexpr RowRange kValidation{9000, 10000};

TEST(ValidationBlocks, AreSpreadOverTheRecentPastAndEndWhereOneWould) {
  const auto found = spread_blocks(kTrain, kValidation, 0.5, 48, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->blocks.size(), 4u);
  EXPECT_EQ(found->newest(), (RowRange{9375, 9500}));
  EXPECT_EQ(found->calibrates, (RowRange{9500, 10000}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(found->blocks[i].size(), 125u);
  EXPECT_GE(found->blocks.front().begin, 9500u - 9500u / 3);
  EXPECT_EQ(found->origins(48), 4u * 78u);
}

// The embargo, on both sides of every block.
TEST(ValidationBlocks, NoRowThatTrainsIsWithinAHorizonOfOne) {
  for (const std::size_t horizon : {1u, 24u, 96u}) {
    for (const std::size_t wanted : {2u, 3u, 8u}) {
      const auto found = spread_blocks(kTrain, kValidation, 0.5, horizon, wanted);
      ASSERT_TRUE(found);
      std::size_t trained = 0;
      for (const RowRange& run : found->trains) {
        EXPECT_LT(run.begin, run.end);
        trained += run.size();
        for (const RowRange& block : found->blocks) {
          EXPECT_TRUE(run.end + horizon <= block.begin || run.begin >= block.end + horizon);
        }
      }
      EXPECT_GT(trained, 7000u);
      EXPECT_EQ(found->trains.front().begin, 0u);
      EXPECT_EQ(found->trains.back().end, found->newest().begin - horizon);
    }
  }
}

TEST(ValidationBlocks, AreFewerWhereRowsAllowNoMore) {
  const auto some = spread_blocks({0, 360}, {360, 400}, 0.5, 12, 4);
  ASSERT_TRUE(some);
  EXPECT_EQ(some->blocks.size(), 2u);
  EXPECT_FALSE(spread_blocks({0, 180}, {180, 200}, 0.5, 12, 4));
  EXPECT_FALSE(spread_blocks({0, 180}, {180, 180}, 0.5, 12, 4));
  EXPECT_FALSE(spread_blocks(kTrain, kValidation, 0.5, 48, 1));
}

}  // namespace
}  // namespace pulsecast::train
