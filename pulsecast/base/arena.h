// Memory for one step of work: allocation is moving a pointer, freeing is moving it back.
//
// The first steps grow the arena; reset() then merges what was needed into one block, so that
// from the second step of the same shape on nothing is allocated and the same addresses, already
// in the page tables and often in the cache, come round again. One arena belongs to one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace pulsecast {

class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;  // a cache line, and the widest SIMD register

  explicit Arena(std::size_t initial_bytes = 0);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised memory for `count` objects, aligned to kAlignment. Destructors never run, so
  // only types without one are taken.
  template <typename T>
  std::span<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return {static_cast<T*>(allocate_bytes(count * sizeof(T))), count};
  }

  // Forgets everything allocated so far and keeps the memory.
  void reset();
  // The same, and makes sure that `bytes` fit without growing.
  void reset(std::size_t bytes);

  // A point to come back to: scratch memory inside a longer computation.
  struct Mark {
    std::size_t block;
    std::size_t used;
  };
  Mark mark() const { return {current_, used_}; }
  void rewind(Mark mark);

  // Bytes taken from the system, and the most that were in use at once since construction.
  std::size_t capacity() const;
  std::size_t peak() const { return peak_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct MemoryBlock {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size;
  };

  void* allocate_bytes(std::size_t bytes);
  void add_block(std::size_t bytes);

  std::vector<MemoryBlock> blocks_;
  std::size_t current_ = 0;  // index of the block in use
  std::size_t used_ = 0;     // bytes used of it
  std::size_t before_ = 0;   // bytes of the blocks before it
  std::size_t peak_ = 0;
};

// Rewinds an arena at the end of a scope.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(arena), mark_(arena.mark()) {}
  ~ArenaScope() { arena_.rewind(mark_); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena& arena_;
  Arena::Mark mark_;
};

}  // namespace pulsecast
