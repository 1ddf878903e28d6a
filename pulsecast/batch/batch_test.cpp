#include "pulsecast/batch/batch.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

TEST(Batch, HasRoomForItsShape) {
  Arena arena;
  const BatchShape shape{.samples = 3,
                         .channels = 2,
                         .lookback = 5,
                         .horizon = 4,
                         .features = 2,
                         .known = 1,
                         .past = 0};
  const Batch batch = allocate_batch(shape, arena);
  EXPECT_EQ(batch.shape, shape);
  EXPECT_EQ(batch.history.size(), 3u * 2 * 5);
  EXPECT_EQ(batch.target.size(), 3u * 2 * 4);
  EXPECT_EQ(batch.known_history.size(), 3u * 1 * 5);
  EXPECT_EQ(batch.known_future.size(), 3u * 1 * 4);
  EXPECT_TRUE(batch.past_history.empty());
  EXPECT_EQ(batch.history_phase.size(), 3u * 5);
  EXPECT_EQ(batch.future_phase.size(), 3u * 4);
  EXPECT_EQ(batch.history_calendars.features.size(), 3u * 5 * 2);
  EXPECT_EQ(batch.future_calendars.features.size(), 3u * 4 * 2);
  EXPECT_EQ(batch.future_calendars.keys.size(), 3u);
  EXPECT_EQ(allocate_forecast(shape, arena).values.size(), batch.target.size());
}

// Training lays the same batch out anew each step: nothing may be allocated from the second on.
TEST(Batch, ReusesTheArena) {
  Arena arena;
  const BatchShape shape{.samples = 8, .channels = 3, .lookback = 96, .horizon = 24, .features = 1};
  allocate_batch(shape, arena);
  arena.reset();
  const Batch second = allocate_batch(shape, arena);
  const std::size_t capacity = arena.capacity();
  arena.reset();
  const Batch third = allocate_batch(shape, arena);
  EXPECT_EQ(third.history.data(), second.history.data());
  EXPECT_EQ(arena.capacity(), capacity);
}

}  // namespace
}  // namespace pulsecast
