#include "bindings/c/arrow_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pulsecast::c {
namespace {

struct Named {
  std::string_view format;
  ArrowKind kind;
  std::string_view text;
};

constexpr Named kKnown[] = {
    {"n", ArrowKind::kNull, "null"},
    {"b", ArrowKind::kBool, "bool"},
    {"c", ArrowKind::kInt8, "int8"},
    {"C", ArrowKind::kUint8, "uint8"},
    {"s", ArrowKind::kInt16, "int16"},
    {"S", ArrowKind::kUint16, "uint16"},
    {"i", ArrowKind::kInt32, "int32"},
    {"I", ArrowKind::kUint32, "uint32"},
    {"l", ArrowKind::kInt64, "int64"},
    {"L", ArrowKind::kUint64, "uint64"},
    {"e", ArrowKind::kHalf, "float16"},
    {"f", ArrowKind::kFloat, "float32"},
    {"g", ArrowKind::kDouble, "float64"},
    {"u", ArrowKind::kUtf8, "utf8"},
    {"U", ArrowKind::kLargeUtf8, "large_utf8"},
    {"vu", ArrowKind::kUtf8View, "utf8_view"},
    {"tdD", ArrowKind::kDate32, "date32"},
    {"tdm", ArrowKind::kDate64, "date64"},
    {"+s", ArrowKind::kStruct, "struct"},
    {"z", ArrowKind::kOther, "binary"},
    {"Z", ArrowKind::kOther, "large_binary"},
    {"vz", ArrowKind::kOther, "binary_view"},
    {"+l", ArrowKind::kOther, "list"},
    {"+L", ArrowKind::kOther, "large_list"},
    {"+m", ArrowKind::kOther, "map"},
    {"+r", ArrowKind::kOther, "run_end_encoded"},
};

// What begins so and goes on with numbers or names.
constexpr Named kFamilies[] = {
    {"d:", ArrowKind::kOther, "decimal"},          {"w:", ArrowKind::kOther, "fixed_size_binary"},
    {"+w:", ArrowKind::kOther, "fixed_size_list"}, {"+ud:", ArrowKind::kOther, "union"},
    {"+us:", ArrowKind::kOther, "union"},          {"tt", ArrowKind::kOther, "time"},
    {"tD", ArrowKind::kOther, "duration"},         {"ti", ArrowKind::kOther, "interval"},
};

struct Unit {
  char letter;
  std::int64_t per_millisecond;
  std::string_view text;
};

constexpr Unit kUnits[] = {
    {'s', -1000, "s"}, {'m', 1, "ms"}, {'u', 1000, "us"}, {'n', 1'000'000, "ns"}};

// "tsu:Europe/Berlin".
bool read_timestamp(std::string_view format, ArrowType& type) {
  if (format.size() < 4 || !format.starts_with("ts") || format[3] != ':') return false;
  const auto* const unit = std::ranges::find(kUnits, format[2], &Unit::letter);
  if (unit == std::end(kUnits)) return false;
  type.kind = ArrowKind::kTimestamp;
  type.per_millisecond = unit->per_millisecond;
  type.zone = format.substr(4);
  type.text = type.zone.empty() ? fmt::format("timestamp[{}]", unit->text)
                                : fmt::format("timestamp[{}, tz={}]", unit->text, type.zone);
  return true;
}

}  // namespace

ArrowType read_arrow_type(std::string_view format) {
  ArrowType type;
  if (read_timestamp(format, type)) return type;
  if (const auto* known = std::ranges::find(kKnown, format, &Named::format);
      known != std::end(kKnown)) {
    type.kind = known->kind;
    type.text = known->text;
    return type;
  }
  constexpr std::size_t kMost = 32;
  type.text = fmt::format("'{}'", format.substr(0, kMost));
  for (const Named& family : kFamilies) {
    if (format.starts_with(family.format)) type.text = family.text;
  }
  return type;
}

std::size_t arrow_buffers(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::kNull:
      return 0;
    case ArrowKind::kStruct:
      return 1;
    case ArrowKind::kUtf8:
    case ArrowKind::kLargeUtf8:
    case ArrowKind::kUtf8View:
      return 3;
    default:
      return 2;
  }
}

}  // namespace pulsecast::c
