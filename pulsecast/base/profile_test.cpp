#include "pulsecast/base/profile.h"

#include <gtest/gtest.h>

#include "pulsecast/base/thread_pool.h"

namespace pulsecast::profile {
namespace {

void spin(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
         seconds) {
  }
}

const Entry* find(const std::vector<Entry>& entries, std::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

TEST(Profile, CountsNothingWhileItIsOff) {
  { const Scope scope("never"); }
  start();
  EXPECT_TRUE(stop().empty());
}

TEST(Profile, AddsUpTheCallsOfAllThreads) {
  ThreadPool pool(4);
  start();
  pool.run(10, [](std::size_t, std::size_t) { const Scope scope("work", 3.0); });
  const std::vector<Entry> entries = stop();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].name, "work");
  EXPECT_EQ(entries[0].calls, 10U);
  EXPECT_EQ(entries[0].flop, 30.0);
}

TEST(Profile, TimeInsideBelongsToTheInnerScope) {
  start();
  {
    const Scope outer("outer");
    spin(0.002);
    const Scope inner("inner");
    spin(0.01);
  }
  const std::vector<Entry> entries = stop();
  ASSERT_NE(find(entries, "outer"), nullptr);
  ASSERT_NE(find(entries, "inner"), nullptr);
  EXPECT_GE(find(entries, "inner")->seconds, 0.01);
  EXPECT_GE(find(entries, "outer")->seconds, 0.002);
  EXPECT_EQ(entries[0].name, "inner") << "sorted by what they took";
}

TEST(Profile, StartsFromNothing) {
  start();
  { const Scope scope("before"); }
  start();
  EXPECT_EQ(find(stop(), "before"), nullptr);
}

}  // namespace
}  // namespace pulsecast::profile
