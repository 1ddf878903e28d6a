#include "pulsecast/base/team.h"

#include <gtest/gtest.h>

#include <vector>

namespace pulsecast {
namespace {

TEST(Team, PartsFollowFromTheWorkAlone) {
  ThreadPool one(1);
  ThreadPool three(3);
  for (const std::size_t threads : {0u, 1u}) {
    const Team team(threads == 0 ? one : three);
    EXPECT_EQ(team.parts(0, 10), 1u);
    EXPECT_EQ(team.parts(19, 10), 1u);
    EXPECT_EQ(team.parts(20, 10), 2u);
    EXPECT_EQ(team.parts(80, 10), 8u);
    EXPECT_EQ(team.parts(600, 10), 8u);
    EXPECT_EQ(team.parts(640, 10), 16u);
    EXPECT_EQ(team.parts(2560, 10), 64u);
    EXPECT_EQ(team.parts(1000000, 0), Team::kMostParts);
  }
  EXPECT_EQ(Team().parts(1000000, 1), 1u);
}

TEST(Team, PartsAreAllOfIt) {
  ThreadPool pool(3);
  const Team team(pool);
  for (const std::size_t count : {0u, 1u, 7u, 1000u}) {
    std::vector<std::atomic<int>> seen(count);
    team.split(count, 3, [&](const Team::Part& part) {
      EXPECT_LT(part.worker, team.workers());
      for (std::size_t i = 0; i < part.count; ++i) ++seen[part.first + i];
    });
    for (const auto& times : seen) EXPECT_EQ(times.load(), 1);
  }
}

}  // namespace
}  // namespace pulsecast
