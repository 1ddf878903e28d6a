#include "pulsecast/base/packed_integers.h"

#include <algorithm>
#include <cstring>

namespace pulsecast {
namespace {

// Differences and their sums go round at 2^64, so that no two integers lie too far apart.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t on_line(std::int64_t first, std::int64_t slope, std::size_t index) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                   static_cast<std::uint64_t>(slope) * index);
}

template <typename Integer>
bool holds(std::int64_t rest) {
  return static_cast<Integer>(rest) == rest;
}

std::size_t width_of(std::int64_t rest) {
  if (rest == 0) return 0;
  if (holds<std::int8_t>(rest)) return 1;
  if (holds<std::int16_t>(rest)) return 2;
  return holds<std::int32_t>(rest) ? 4 : 8;
}

template <typename Integer>
std::int64_t read_rest(const std::byte* at) {
  Integer rest;
  std::memcpy(&rest, at, sizeof rest);
  return rest;
}

template <typename Integer>
void write_rest(std::int64_t rest, std::byte* at) {
  const auto narrow = static_cast<Integer>(rest);
  std::memcpy(at, &narrow, sizeof narrow);
}

}  // namespace

std::int64_t PackedIntegers::operator[](std::size_t index) const {
  const std::size_t block = index / kBlock;
  if (block == blocks_.size()) return tail_[index % kBlock];
  return value(blocks_[block], index % kBlock);
}

std::int64_t PackedIntegers::value(const Block& block, std::size_t index) const {
  const std::int64_t line = on_line(block.first, block.slope, index);
  const std::byte* at = rests_.data() + block.offset + index * block.width;
  std::int64_t rest = 0;
  switch (block.width) {
    case 1:
      rest = read_rest<std::int8_t>(at);
      break;
    case 2:
      rest = read_rest<std::int16_t>(at);
      break;
    case 4:
      rest = read_rest<std::int32_t>(at);
      break;
    case 8:
      rest = read_rest<std::int64_t>(at);
      break;
    default:
      break;
  }
  return on_line(line, rest, 1);
}

void PackedIntegers::push_back(std::int64_t value) {
  tail_.push_back(value);
  if (tail_.size() == kBlock) pack_tail();
}

void PackedIntegers::pack_tail() {
  Block block{tail_[0], minus(tail_[1], tail_[0]), rests_.size(), 0};
  std::size_t width = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::int64_t rest = minus(tail_[i], on_line(block.first, block.slope, i));
    width = std::max(width, width_of(rest));
  }
  block.width = static_cast<std::uint8_t>(width);
  rests_.resize(rests_.size() + width * kBlock);
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::int64_t rest = minus(tail_[i], on_line(block.first, block.slope, i));
    std::byte* at = rests_.data() + block.offset + i * width;
    if (width == 1) write_rest<std::int8_t>(rest, at);
    if (width == 2) write_rest<std::int16_t>(rest, at);
    if (width == 4) write_rest<std::int32_t>(rest, at);
    if (width == 8) write_rest<std::int64_t>(rest, at);
  }
  blocks_.push_back(block);
  tail_.clear();
}

void PackedIntegers::truncate(std::size_t size) {
  if (size >= this->size()) return;
  const std::size_t whole = size / kBlock;
  if (whole < blocks_.size()) {
    tail_.resize(kBlock);
    for (std::size_t i = 0; i < kBlock; ++i) tail_[i] = value(blocks_[whole], i);
    rests_.resize(blocks_[whole].offset);
    blocks_.resize(whole);
  }
  tail_.resize(size % kBlock);
}

std::size_t PackedIntegers::bytes() const {
  return blocks_.size() * sizeof(Block) + rests_.size() + tail_.size() * sizeof(std::int64_t);
}

}  // namespace pulsecast
