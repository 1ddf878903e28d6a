// The values of a table's column, in memory that all columns of the table share.
//
// A wide table is hundreds of columns of a few hundred kilobytes that grow side by side. With
// memory of its own for each, the kernel hands them out in pages of 4 KB, and clearing and mapping
// those costs more than half of what parsing the file does. So the columns are parts of one region
// that asks for huge pages (2 MB), at a quarter of the cost. A column that outgrows its part, or
// has none, takes ordinary memory; one that is freed gives its pages back at once, though the
// region's addresses stay taken until its last column goes.
//
// New elements are left as they are: resize() is followed by writing them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace pulsecast {

class ColumnRegion {
 public:
  // May be called for any size: where there is no such memory, nothing can be taken.
  explicit ColumnRegion(std::size_t bytes);
  ~ColumnRegion();
  ColumnRegion(const ColumnRegion&) = delete;
  ColumnRegion& operator=(const ColumnRegion&) = delete;

  // nullptr when that much is not left. Threads may take at the same time.
  void* take(std::size_t bytes);
  // False when `memory` is no part of this region.
  bool give_back(void* memory, std::size_t bytes);

 private:
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
  std::atomic<std::size_t> used_{0};
};

// From the region, if there is one. A copy of a vector is not in the region of the original.
template <typename T>
class ColumnAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  ColumnAllocator() = default;
  explicit ColumnAllocator(std::shared_ptr<ColumnRegion> region) : region_(std::move(region)) {}

  T* allocate(std::size_t count) {
    if (region_) {
      if (void* memory = region_->take(count * sizeof(T))) return static_cast<T*>(memory);
    }
    return std::allocator<T>().allocate(count);
  }

  void deallocate(T* memory, std::size_t count) {
    if (region_ && region_->give_back(memory, count * sizeof(T))) return;
    std::allocator<T>().deallocate(memory, count);
  }

  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }

  ColumnAllocator select_on_container_copy_construction() const { return {}; }
  friend bool operator==(const ColumnAllocator&, const ColumnAllocator&) = default;

 private:
  std::shared_ptr<ColumnRegion> region_;
};

using ColumnValues = std::vector<double, ColumnAllocator<double>>;

}  // namespace pulsecast
