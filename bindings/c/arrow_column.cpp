#include "bindings/c/arrow_column.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "pulsecast/base/missing.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast::c {
namespace {

using Kind = TypedColumn::Kind;

float half_to_float(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const auto fraction = static_cast<float>(bits & 1023);
  float value = 0.0f;
  if (exponent == 31) {
    value = fraction == 0.0f ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024.0f, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

// body(a value of the C++ type of the integers).
template <typename Body>
auto with_integer(ArrowKind kind, Body body) {
  // NOLINTNEXTLINE(bugprone-branch-clone): of a type each
  switch (kind) {
    case ArrowKind::kInt8:
      return body(std::int8_t());
    case ArrowKind::kUint8:
      return body(std::uint8_t());
    case ArrowKind::kInt16:
      return body(std::int16_t());
    case ArrowKind::kUint16:
      return body(std::uint16_t());
    case ArrowKind::kInt32:
      return body(std::int32_t());
    case ArrowKind::kUint32:
      return body(std::uint32_t());
    case ArrowKind::kUint64:
      return body(std::uint64_t());
    default:
      return body(std::int64_t());
  }
}

class ArrowNumbers : public ArrowColumn {
 public:
  using ArrowColumn::ArrowColumn;

  void numbers(std::size_t first, std::span<double> out) const override {
    for_each_run(first, out.size(),
                 [&](std::size_t c, std::size_t from, std::size_t rows, std::size_t to) {
                   const ArrowChunk& chunk = chunks()[c];
                   read(chunk, from, out.subspan(to, rows));
                   if (!chunk.has_nulls()) return;
                   for (std::size_t i = 0; i < rows; ++i) {
                     if (chunk.is_null(from + i)) out[to + i] = kMissing;
                   }
                 });
  }

  // Integers with all of their digits: ids are long.
  std::string cell(std::size_t row) const override {
    if (!arrow_type().is_integer()) return TypedColumn::cell(row);
    std::string text;
    for_each_run(row, 1, [&](std::size_t c, std::size_t from, std::size_t, std::size_t) {
      const ArrowChunk& chunk = chunks()[c];
      if (!chunk.is_null(from)) {
        text = with_integer(arrow_type().kind, [&]<typename Value>(Value) {
          return fmt::format("{}", chunk.value<Value>(from));
        });
      }
    });
    return text;
  }

 private:
  template <typename Value>
  static void convert(const ArrowChunk& chunk, std::size_t from, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<double>(chunk.value<Value>(from + i));
    }
  }

  void read(const ArrowChunk& chunk, std::size_t from, std::span<double> out) const {
    switch (arrow_type().kind) {
      case ArrowKind::kDouble:
        std::memcpy(out.data(), chunk.values<double>(from), out.size_bytes());
        return;
      case ArrowKind::kFloat:
        return convert<float>(chunk, from, out);
      case ArrowKind::kHalf:
        for (std::size_t i = 0; i < out.size(); ++i) {
          out[i] = static_cast<double>(half_to_float(chunk.value<std::uint16_t>(from + i)));
        }
        return;
      case ArrowKind::kBool:
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = chunk.is_true(from + i) ? 1.0 : 0.0;
        return;
      case ArrowKind::kNull:
        std::ranges::fill(out, kMissing);
        return;
      default:
        with_integer(arrow_type().kind,
                     [&]<typename Value>(Value) { convert<Value>(chunk, from, out); });
    }
  }
};

class ArrowStamps : public ArrowColumn {
 public:
  ArrowStamps(std::string name, ArrowType type, Kind kind, std::vector<ArrowChunk> chunks,
              std::vector<OwnArray> holders)
      : ArrowColumn(std::move(name), std::move(type), kind, std::move(chunks), std::move(holders)) {
    const std::string& zone = arrow_type().zone;
    if (zone.empty()) return;
    // An offset says which instants they are, and of no place what its clocks do.
    const bool is_utc = zone == "UTC" || zone == "Etc/UTC" || zone == "GMT" || zone == "Z";
    const bool is_offset = zone.front() == '+' || zone.front() == '-';
    zone_ = is_utc || is_offset ? Zone() : Zone::named(zone);
  }

  std::size_t stamps(std::size_t first, std::span<std::int64_t> out) const override {
    std::size_t cut = 0;
    for_each_run(
        first, out.size(), [&](std::size_t c, std::size_t from, std::size_t rows, std::size_t to) {
          const ArrowChunk& chunk = chunks()[c];
          for (std::size_t i = 0; i < rows; ++i) {
            out[to + i] = chunk.is_null(from + i) ? kNoStamp : milliseconds(chunk, from + i, cut);
          }
        });
    return cut;
  }

  std::optional<Zone> zone() const override { return zone_; }

 private:
  std::int64_t milliseconds(const ArrowChunk& chunk, std::size_t row, std::size_t& cut) const {
    constexpr std::int64_t kDay = 86'400'000;
    switch (arrow_type().kind) {
      case ArrowKind::kDate32:
        return chunk.value<std::int32_t>(row) * kDay;
      case ArrowKind::kDate64:
        return chunk.value<std::int64_t>(row);
      default:
        break;
    }
    const auto ticks = chunk.value<std::int64_t>(row);
    const std::int64_t each = arrow_type().per_millisecond;
    if (each < 0) {
      std::int64_t product = 0;
      // What overflows is outside of any calendar, and told as that.
      const bool is_over = __builtin_mul_overflow(ticks, -each, &product);
      return is_over ? std::numeric_limits<std::int64_t>::max() : product;
    }
    const std::int64_t rest = (ticks % each + each) % each;
    cut += rest != 0 ? 1 : 0;
    return ticks / each - (ticks % each < 0 ? 1 : 0);
  }

  std::optional<Zone> zone_;
};

class ArrowText : public ArrowColumn {
 public:
  using ArrowColumn::ArrowColumn;

  std::string cell(std::size_t row) const override {
    std::string cell;
    for_each_run(row, 1, [&](std::size_t c, std::size_t from, std::size_t, std::size_t) {
      cell = text(chunks()[c], from);
    });
    return cell;
  }

  Labels labels() const override {
    Labels all;
    for (const ArrowChunk& chunk : chunks()) {
      for (std::size_t row = 0; row < chunk.rows(); ++row) {
        all.add(all.code_of(trimmed(text(chunk, row))));
      }
    }
    return all;
  }

 private:
  std::string_view text(const ArrowChunk& chunk, std::size_t row) const {
    if (chunk.is_null(row)) return {};
    switch (arrow_type().kind) {
      case ArrowKind::kUtf8:
        return chunk.text<std::int32_t>(row);
      case ArrowKind::kLargeUtf8:
        return chunk.text<std::int64_t>(row);
      default:
        return chunk.view(row);
    }
  }
};

}  // namespace

TypedColumn::Kind kind_of(const ArrowType& type) {
  if (type.is_text()) return Kind::kText;
  if (type.is_stamps()) return Kind::kStamps;
  return type.kind == ArrowKind::kOther || type.kind == ArrowKind::kStruct ? Kind::kOther
                                                                           : Kind::kNumbers;
}

std::unique_ptr<TypedColumn> arrow_column(std::string name, ArrowType type,
                                          std::vector<ArrowChunk> chunks,
                                          std::vector<OwnArray> holders) {
  const Kind kind = kind_of(type);
  switch (kind) {
    case Kind::kStamps:
      return std::make_unique<ArrowStamps>(std::move(name), std::move(type), kind,
                                           std::move(chunks), std::move(holders));
    case Kind::kText:
      return std::make_unique<ArrowText>(std::move(name), std::move(type), kind, std::move(chunks),
                                         std::move(holders));
    case Kind::kNumbers:
      return std::make_unique<ArrowNumbers>(std::move(name), std::move(type), kind,
                                            std::move(chunks), std::move(holders));
    case Kind::kOther:
      break;
  }
  return std::make_unique<ArrowColumn>(std::move(name), std::move(type), kind, std::move(chunks),
                                       std::move(holders));
}

}  // namespace pulsecast::c
