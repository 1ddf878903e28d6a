#include "pulsecast/data/table/column_values.h"

#include <sys/mman.h>

#include <cstdint>

namespace pulsecast {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kPage = std::size_t{1} << 12;
constexpr std::size_t kLine = 64;
constexpr std::size_t kMostBytes = std::size_t{1} << 38;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

ColumnRegion::ColumnRegion(std::size_t bytes) {
  // A region of less would be one huge page, mostly empty; of more, a guess gone wrong.
  if (bytes < kHugePage || bytes > kMostBytes) return;
  size_ = round_up(bytes, kHugePage);
  begin_ =
      static_cast<std::byte*>(::operator new (size_, std::align_val_t{kHugePage}, std::nothrow));
  if (begin_ == nullptr) {
    size_ = 0;
    return;
  }
  // A wish: where the kernel does not grant it, pages are small.
  ::madvise(begin_, size_, MADV_HUGEPAGE);
}

ColumnRegion::~ColumnRegion() { ::operator delete (begin_, std::align_val_t{kHugePage}); }

void* ColumnRegion::take(std::size_t bytes) {
  if (bytes > size_) return nullptr;
  bytes = round_up(bytes, kLine);
  std::size_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > size_ - used) return nullptr;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return begin_ + used;
}

bool ColumnRegion::give_back(void* memory, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const auto begin = reinterpret_cast<std::uintptr_t>(begin_);
  if (at < begin || at >= begin + size_) return false;
  // Whole pages only: the neighbours have the rest.
  const std::size_t first = round_up(at - begin, kPage);
  const std::size_t last = (at - begin + bytes) / kPage * kPage;
  if (first < last) ::madvise(begin_ + first, last - first, MADV_DONTNEED);
  return true;
}

}  // namespace pulsecast
