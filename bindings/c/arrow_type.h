// What the format text of an Arrow column says: "tsu:Europe/Berlin" is timestamp[us,
// tz=Europe/Berlin].
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pulsecast::c {

enum class ArrowKind {
  kNull,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kHalf,
  kFloat,
  kDouble,
  kUtf8,
  kLargeUtf8,
  kUtf8View,
  kTimestamp,
  kDate32,
  kDate64,
  kStruct,
  kOther,  // nothing that a column of ours can be
};

struct ArrowType {
  ArrowKind kind = ArrowKind::kOther;
  std::string text;                  // for messages
  std::int64_t per_millisecond = 1;  // of a timestamp: ticks; negative: milliseconds of a tick
  std::string zone;                  // of a timestamp; empty where it has none

  bool is_integer() const { return kind >= ArrowKind::kInt8 && kind <= ArrowKind::kUint64; }
  bool is_text() const { return kind >= ArrowKind::kUtf8 && kind <= ArrowKind::kUtf8View; }
  bool is_stamps() const { return kind >= ArrowKind::kTimestamp && kind <= ArrowKind::kDate64; }
};

// Any text: what is not known is kOther.
ArrowType read_arrow_type(std::string_view format);

// Buffers that an array of the kind has; the least of a utf8_view, which has one more for each
// stretch of text.
std::size_t arrow_buffers(ArrowKind kind);

}  // namespace pulsecast::c
