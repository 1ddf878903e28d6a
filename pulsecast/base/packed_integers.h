// Integers that mostly rise evenly or stay as they are, in little memory: lines of a file, stamps,
// the series of each row. A long file has one of each for every number that it holds.
//
// They are kept in blocks of 128: a straight line, and how far each integer lies off it, in as many
// bytes as the farthest needs; none where all lie on the line. Any of them is read in constant
// time. They are added at the end alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace pulsecast {

class PackedIntegers {
 public:
  std::size_t size() const { return blocks_.size() * kBlock + tail_.size(); }
  std::int64_t operator[](std::size_t index) const;
  void push_back(std::int64_t value);
  // Keeps the first `size` of them.
  void truncate(std::size_t size);
  void clear() { truncate(0); }
  // What they take, room for more not counted.
  std::size_t bytes() const;

  // What is packed depends on the integers alone, so equal ones are packed alike.
  friend bool operator==(const PackedIntegers&, const PackedIntegers&) = default;

 private:
  static constexpr std::size_t kBlock = 128;

  struct Block {
    std::int64_t first;
    std::int64_t slope;
    std::uint64_t offset;  // of its rests in rests_
    std::uint8_t width;    // bytes of a rest: 0, 1, 2, 4 or 8

    friend bool operator==(const Block&, const Block&) = default;
  };

  void pack_tail();
  std::int64_t value(const Block& block, std::size_t index) const;

  std::vector<Block> blocks_;
  std::vector<std::byte> rests_;
  std::vector<std::int64_t> tail_;  // fewer than a block, as they are
};

// How a type is an integer; others than integers specialise it.
template <typename T>
struct AsInteger {
  static std::int64_t to(T value) { return static_cast<std::int64_t>(value); }
  static T from(std::int64_t integer) { return static_cast<T>(integer); }
};

// One of T for each row of a table. Reads like a vector; what is read is a copy.
template <typename T>
class PackedRows {
 public:
  class Iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;  // what it gives is no reference
    using iterator_concept = std::forward_iterator_tag;
    using pointer = void;
    using reference = T;

    Iterator() = default;
    Iterator(const PackedRows& rows, std::size_t row) : rows_(&rows), row_(row) {}
    T operator*() const { return (*rows_)[row_]; }
    Iterator& operator++() {
      ++row_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++row_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const PackedRows* rows_ = nullptr;
    std::size_t row_ = 0;
  };

  std::size_t size() const { return integers_.size(); }
  bool empty() const { return size() == 0; }
  T operator[](std::size_t row) const { return AsInteger<T>::from(integers_[row]); }
  T front() const { return (*this)[0]; }
  T back() const { return (*this)[size() - 1]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

  void push_back(T value) { integers_.push_back(AsInteger<T>::to(value)); }
  void append(const PackedRows& more) {
    for (const T value : more) push_back(value);
  }
  void truncate(std::size_t rows) { integers_.truncate(rows); }
  void clear() { integers_.clear(); }

  friend bool operator==(const PackedRows&, const PackedRows&) = default;

 private:
  PackedIntegers integers_;
};

}  // namespace pulsecast
