// However an archive is made, what it takes to read it is bounded by its size: a byte of it becomes
// at most 1032 bytes (that is deflate's limit), each a value of eight in a column that may have
// grown to twice its need, with a stamp and a line for every row of one.

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "pulsecast/data/readers/fuzz_table.h"
#include "pulsecast/data/readers/npz_reader.h"

namespace {

constexpr std::size_t kMost = 1032 * (2 * 8 + 2 * 8 + 2 * 4);
constexpr std::size_t kAnyway = std::size_t{16} << 20;  // buffers, and the names of 100,000 columns

std::size_t held = 0;
std::size_t peak = 0;

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* memory = std::malloc(size);
  if (memory == nullptr) return nullptr;
  held += malloc_usable_size(memory);
  peak = std::max(peak, held);
  return memory;
}

void* operator new(std::size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Without these two a sanitizer's own would be mixed with those above.
void* operator new[](std::size_t size) { return operator new(size); }

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}

void operator delete(void* memory) noexcept {
  if (memory != nullptr) held -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

void operator delete[](void* memory) noexcept { operator delete(memory); }

void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  DataSettings settings;
  settings.start = "2018-01-01";
  settings.step = "5min";
  const std::size_t before = held;
  peak = held;
  try {
    read_arrays(memory_source({reinterpret_cast<const char*>(data), size}), "fuzz", settings);
  } catch (const Error& error) {
    fuzzing::require(!error.message().empty());
  }
  fuzzing::require(peak - before <= kMost * size + kAnyway);
  return 0;
}
