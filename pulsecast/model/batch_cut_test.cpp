#include "pulsecast/model/batch_cut.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pulsecast::model {
namespace {

TEST(BatchCut, LanesFollowFromTheShape) {
  struct Case {
    std::size_t samples, channels, lanes, shards;
  };
  for (const Case& one : {Case{256, 7, 16, 16},       // 112 rows in a lane
                          Case{256, 21, 64, 64},      // 84 rows
                          Case{256, 321, 64, 256},    // a sample in a shard
                          Case{64, 321, 64, 64},      //
                          Case{32, 21, 8, 8},         //
                          Case{32, 7, 1, 1},          // 224 rows: operations share the threads
                          Case{64, 7, 4, 4},          //
                          Case{100, 321, 64, 100},    // lanes of one sample and of two
                          Case{5, 321, 5, 5},         // no more lanes than samples
                          Case{3, 321, 3, 3},         //
                          Case{1, 321, 1, 1},         //
                          Case{1, 1, 1, 1},           //
                          Case{0, 7, 0, 0},           //
                          Case{4096, 7, 64, 128}}) {  // 448 rows in a lane, 224 in a shard
    const BatchCut cut(one.samples, one.channels);
    EXPECT_EQ(cut.lanes(), one.lanes) << one.samples << " x " << one.channels;
    EXPECT_EQ(cut.shards(), one.shards) << one.samples << " x " << one.channels;
  }
  EXPECT_EQ(BatchCut::whole(256).shards(), 1u);
  EXPECT_EQ(BatchCut::whole(256).shard(0).count, 256u);
}

TEST(BatchCut, EverySampleIsInOneShardAndEveryShardInOneLane) {
  for (const std::size_t channels : {1u, 7u, 21u, 85u, 321u}) {
    for (std::size_t samples = 1; samples < 400; samples += samples < 70 ? 1 : 13) {
      const BatchCut cut(samples, channels);
      ASSERT_LE(cut.lanes(), std::min(samples, autodiff::kMostLanes));
      ASSERT_GE(cut.shards(), cut.lanes());
      std::size_t next_sample = 0;
      std::size_t next_shard = 0;
      for (std::size_t lane = 0; lane < cut.lanes(); ++lane) {
        ASSERT_EQ(cut.cut().first(lane), next_shard);
        ASSERT_GT(cut.cut().first(lane + 1), next_shard) << "a lane without a shard";
        for (; next_shard < cut.cut().first(lane + 1); ++next_shard) {
          const SampleRange range = cut.shard(next_shard);
          ASSERT_EQ(range.first, next_sample);
          ASSERT_GT(range.count, 0u);
          ASSERT_LE(range.count * channels, std::max(kShardRows, channels));
          next_sample += range.count;
        }
      }
      ASSERT_EQ(next_shard, cut.shards());
      ASSERT_EQ(next_sample, samples);
    }
  }
}

// A batch of training may be one shard, as that of a small step; what is only scored need not be.
TEST(BatchCut, WindowsThatAreScoredTogetherGiveEveryThreadALane) {
  EXPECT_EQ(BatchCut(32, 7).lanes(), 1u);
  for (const std::size_t channels : {1u, 7u, 21u, 84u}) {
    EXPECT_EQ(BatchCut(windows_together(channels), channels).lanes(), 16u) << channels;
  }
  EXPECT_EQ(BatchCut(windows_together(321), 321).lanes(), 5u) << "one a window";
}

TEST(BatchCut, CalendarsFillEightLanesBeforeTheyFillMore) {
  EXPECT_EQ(lanes_of_calendars(0), 0u);
  EXPECT_EQ(lanes_of_calendars(1), 1u);
  EXPECT_EQ(lanes_of_calendars(24), 8u);
  EXPECT_EQ(lanes_of_calendars(256), 16u);
  EXPECT_EQ(lanes_of_calendars(5000), 64u);
}

}  // namespace
}  // namespace pulsecast::model
