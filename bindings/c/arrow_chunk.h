// A run of one column's values: an array of one batch, as much of it as the batch has rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "bindings/c/arrow_data.h"

namespace pulsecast::c {

class ArrowChunk {
 public:
  // `begin` counts from where the array itself begins, its own offset included.
  ArrowChunk(const ArrowArray& array, std::size_t begin, std::size_t rows)
      : array_(&array),
        begin_(begin),
        rows_(rows),
        valid_(array.n_buffers > 0 && array.buffers != nullptr && array.null_count != 0
                   ? static_cast<const std::uint8_t*>(array.buffers[0])
                   : nullptr) {}

  const ArrowArray& array() const { return *array_; }
  std::size_t rows() const { return rows_; }

  bool has_nulls() const { return valid_ != nullptr; }
  bool is_null(std::size_t row) const { return valid_ != nullptr && !bit(valid_, begin_ + row); }

  // Buffers need not be aligned.
  template <typename Value>
  Value value(std::size_t row) const {
    Value out;
    std::memcpy(&out, data() + (begin_ + row) * sizeof(Value), sizeof(Value));
    return out;
  }
  template <typename Value>
  const std::byte* values(std::size_t row) const {
    return data() + (begin_ + row) * sizeof(Value);
  }
  bool is_true(std::size_t row) const {
    return bit(static_cast<const std::uint8_t*>(array_->buffers[1]), begin_ + row);
  }

  // Text of a value that is there. Throws Error(kData) where offsets go back or a view leaves its
  // buffer.
  template <typename Offset>
  std::string_view text(std::size_t row) const {
    Offset ends[2];
    std::memcpy(ends, data() + (begin_ + row) * sizeof(Offset), sizeof ends);
    if (ends[0] < 0 || ends[1] < ends[0]) refuse_text(row);
    if (ends[0] == ends[1]) return {};
    const auto* bytes = static_cast<const char*>(array_->buffers[2]);
    if (bytes == nullptr) refuse_text(row);
    return {bytes + ends[0], static_cast<std::size_t>(ends[1] - ends[0])};
  }
  std::string_view view(std::size_t row) const;

 private:
  static bool bit(const std::uint8_t* bits, std::size_t at) {
    return (bits[at / 8] >> (at % 8) & 1) != 0;
  }
  const std::byte* data() const { return static_cast<const std::byte*>(array_->buffers[1]); }
  [[noreturn]] void refuse_text(std::size_t row) const;

  const ArrowArray* array_;
  std::size_t begin_;
  std::size_t rows_;
  const std::uint8_t* valid_;
};

}  // namespace pulsecast::c
