#include "pulsecast/base/arena.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace pulsecast {
namespace {

constexpr std::size_t kSmallestBlock = 1 << 16;

std::size_t round_up(std::size_t bytes) {
  return (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
}

}  // namespace

void Arena::Free::operator()(std::byte* memory) const {
  ::operator delete (memory, std::align_val_t{kAlignment});
}

Arena::Arena(std::size_t initial_bytes) {
  if (initial_bytes > 0) add_block(round_up(initial_bytes));
}

void Arena::add_block(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment}));
  blocks_.push_back({std::unique_ptr<std::byte, Free>(memory), bytes});
}

void* Arena::allocate_bytes(std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  bytes = round_up(std::max<std::size_t>(bytes, 1));
  while (blocks_.empty() || used_ + bytes > blocks_[current_].size) {
    if (current_ + 1 >= blocks_.size()) {
      add_block(std::max({bytes, kSmallestBlock, capacity()}));
    }
    if (blocks_.size() > 1) {
      before_ += blocks_[current_].size;
      ++current_;
    }
    used_ = 0;
  }
  std::byte* memory = blocks_[current_].memory.get() + used_;
  used_ += bytes;
  peak_ = std::max(peak_, before_ + used_);
  return memory;
}

void Arena::reset() { reset(0); }

void Arena::reset(std::size_t bytes) {
  const std::size_t total = std::max(capacity(), round_up(bytes));
  if (blocks_.size() > 1 || total > capacity()) {
    blocks_.clear();
    add_block(total);
  }
  current_ = 0;
  used_ = 0;
  before_ = 0;
}

void Arena::rewind(Mark mark) {
  current_ = mark.block;
  used_ = mark.used;
  before_ = 0;
  for (std::size_t i = 0; i < current_; ++i) before_ += blocks_[i].size;
}

std::size_t Arena::capacity() const {
  std::size_t total = 0;
  for (const MemoryBlock& block : blocks_) total += block.size;
  return total;
}

}  // namespace pulsecast
