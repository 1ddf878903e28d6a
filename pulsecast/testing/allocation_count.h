// Counts heap allocations of a test program, to prove that a steady state makes none.
//
// Including this header in one source of a program replaces malloc and its kin there by versions
// that count and pass on. Tests only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>

namespace pulsecast {

inline std::atomic<std::size_t>& allocation_counter() {
  static constinit std::atomic<std::size_t> counter{0};
  return counter;
}

// Calls to malloc, calloc, realloc and the aligned forms, operator new included, since the start.
inline std::size_t allocation_count() { return allocation_counter().load(); }

// False where a sanitizer owns the allocator.
inline bool allocation_count_works() {
  const std::size_t before = allocation_count();
  void* volatile memory = std::malloc(1);
  std::free(memory);
  return allocation_count() > before;
}

}  // namespace pulsecast

#ifndef PULSECAST_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++pulsecast::allocation_counter();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++pulsecast::allocation_counter();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++pulsecast::allocation_counter();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++pulsecast::allocation_counter();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  ++pulsecast::allocation_counter();
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? 12 : 0;
}
}
#endif  // PULSECAST_SANITIZED
