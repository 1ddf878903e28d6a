#include "bindings/c/arrow_chunk.h"

#include "pulsecast/base/throw_error.h"

namespace pulsecast::c {

// Sixteen bytes: the size, and then up to twelve bytes of text, or four of its beginning, the
// number of its buffer and where in that it stands.
std::string_view ArrowChunk::view(std::size_t row) const {
  constexpr std::size_t kBytes = 16;
  constexpr std::int32_t kInline = 12;
  const std::byte* own = data() + (begin_ + row) * kBytes;
  std::int32_t parts[4];
  std::memcpy(parts, own, sizeof parts);
  const std::int32_t size = parts[0];
  if (size < 0) refuse_text(row);
  if (size <= kInline) {
    return {reinterpret_cast<const char*>(own) + sizeof(std::int32_t),
            static_cast<std::size_t>(size)};
  }
  const std::int64_t buffers = array_->n_buffers - 3;
  const std::int64_t buffer = parts[2];
  const std::int64_t at = parts[3];
  if (buffer < 0 || buffer >= buffers || at < 0) refuse_text(row);
  std::int64_t bytes = 0;
  std::memcpy(&bytes,
              static_cast<const std::byte*>(array_->buffers[array_->n_buffers - 1]) +
                  static_cast<std::size_t>(buffer) * sizeof bytes,
              sizeof bytes);
  const auto* begin = static_cast<const char*>(array_->buffers[2 + buffer]);
  if (begin == nullptr || at + size > bytes) refuse_text(row);
  return {begin + at, static_cast<std::size_t>(size)};
}

void ArrowChunk::refuse_text(std::size_t row) const {
  throw_error(ErrorKind::kData, {},
              "the Arrow data is not what its schema says: the text of value "
              "{} lies outside its buffer",
              row);
}

}  // namespace pulsecast::c
