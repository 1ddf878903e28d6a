#include "pulsecast/base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace pulsecast {
namespace {

TEST(Arena, MemoryIsAlignedAndDisjoint) {
  Arena arena;
  std::byte* previous_end = nullptr;
  for (const std::size_t count : {1u, 3u, 64u, 1000u, 0u, 5u}) {
    const auto floats = arena.allocate<float>(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(floats.data()) % Arena::kAlignment, 0u);
    EXPECT_EQ(floats.size(), count);
    std::memset(floats.data(), 1, floats.size_bytes());
    auto* begin = reinterpret_cast<std::byte*>(floats.data());
    EXPECT_TRUE(previous_end == nullptr || begin >= previous_end);
    previous_end = begin + floats.size_bytes();
  }
}

TEST(Arena, GrowsPastItsFirstBlockAndThenSettles) {
  Arena arena(128);
  const auto one_step = [&] {
    arena.reset();
    for (int i = 0; i < 100; ++i) arena.allocate<float>(5000)[4999] = 1.0f;
  };
  one_step();
  one_step();
  const std::size_t settled = arena.capacity();
  const float* first = nullptr;
  for (int i = 0; i < 5; ++i) {
    one_step();
    arena.reset();
    const float* address = arena.allocate<float>(5000).data();
    EXPECT_TRUE(first == nullptr || address == first);
    first = address;
    EXPECT_EQ(arena.capacity(), settled);
  }
  EXPECT_GE(arena.peak(), 100 * 5000 * sizeof(float));
}

TEST(Arena, ResetCanReserve) {
  Arena arena;
  arena.reset(1 << 20);
  EXPECT_GE(arena.capacity(), std::size_t{1} << 20);
  const std::size_t reserved = arena.capacity();
  arena.allocate<std::byte>(1 << 20);
  EXPECT_EQ(arena.capacity(), reserved);
  arena.reset(10);
  EXPECT_EQ(arena.capacity(), reserved);
}

TEST(Arena, ScopeGivesScratchBack) {
  Arena arena;
  const float* kept = arena.allocate<float>(10).data();
  const float* scratch = nullptr;
  for (int i = 0; i < 3; ++i) {
    ArenaScope scope(arena);
    const float* here = arena.allocate<float>(1 << 16).data();
    EXPECT_TRUE(scratch == nullptr || here == scratch);
    scratch = here;
  }
  EXPECT_NE(kept, scratch);
}

}  // namespace
}  // namespace pulsecast
