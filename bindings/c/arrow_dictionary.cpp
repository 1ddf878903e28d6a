#include <fmt/format.h>

#include "bindings/c/arrow_column.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast::c {
namespace {

ArrowType named(ArrowType index, const ArrowType& value) {
  index.text = fmt::format("dictionary<{}, {}>", index.text, value.text);
  return index;
}

class ArrowDictionary : public ArrowColumn {
 public:
  ArrowDictionary(std::string name, ArrowType index, const ArrowType& value,
                  std::vector<ArrowChunk> chunks, const std::vector<OwnArray>& holders)
      : ArrowColumn(std::move(name), named(index, value), TypedColumn::Kind::kText,
                    std::move(chunks), holders),
        index_(std::move(index)) {
    for (const ArrowChunk& chunk : this->chunks()) {
      const ArrowArray& values = *chunk.array().dictionary;
      const ArrowChunk all(values, static_cast<std::size_t>(values.offset),
                           static_cast<std::size_t>(values.length));
      values_.push_back(arrow_column(this->name(), value, {all}, holders));
    }
  }

  std::string cell(std::size_t row) const override {
    std::string cell;
    for_each_run(row, 1, [&](std::size_t c, std::size_t from, std::size_t, std::size_t) {
      if (!chunks()[c].is_null(from)) cell = values_[c]->cell(number(c, from));
    });
    return cell;
  }

  Labels labels() const override {
    Labels all;
    for (std::size_t c = 0; c < chunks().size(); ++c) {
      // One code of ours for each of theirs, when its first row comes.
      constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
      std::vector<std::uint32_t> ours;
      for (std::size_t row = 0; row < chunks()[c].rows(); ++row) {
        if (chunks()[c].is_null(row)) {
          all.add(all.code_of(""));
          continue;
        }
        const std::size_t theirs = number(c, row);
        if (theirs >= ours.size()) ours.resize(theirs + 1, kNone);
        if (ours[theirs] == kNone) ours[theirs] = all.code_of(trimmed(values_[c]->cell(theirs)));
        all.add(ours[theirs]);
      }
    }
    return all;
  }

 private:
  std::size_t number(std::size_t c, std::size_t row) const {
    const std::int64_t index = signed_index(chunks()[c], row);
    if (index >= 0 && index < static_cast<std::int64_t>(values_[c]->rows())) {
      return static_cast<std::size_t>(index);
    }
    throw_error(ErrorKind::kData, Place().in_column(name()),
                "the Arrow data is not what its schema says: it has the dictionary's value of "
                "number {}, and there are {}",
                index, values_[c]->rows());
  }

  std::int64_t signed_index(const ArrowChunk& chunk, std::size_t row) const {
    switch (index_.kind) {
      case ArrowKind::kInt8:
        return chunk.value<std::int8_t>(row);
      case ArrowKind::kUint8:
        return chunk.value<std::uint8_t>(row);
      case ArrowKind::kInt16:
        return chunk.value<std::int16_t>(row);
      case ArrowKind::kUint16:
        return chunk.value<std::uint16_t>(row);
      case ArrowKind::kInt32:
        return chunk.value<std::int32_t>(row);
      case ArrowKind::kUint32:
        return chunk.value<std::uint32_t>(row);
      default:
        // An unsigned one past the signed ones is negative here, and refused as that.
        return chunk.value<std::int64_t>(row);
    }
  }

  ArrowType index_;
  std::vector<std::unique_ptr<TypedColumn>> values_;
};

}  // namespace

std::unique_ptr<TypedColumn> arrow_dictionary(std::string name, ArrowType index,
                                              const ArrowType& value,
                                              std::vector<ArrowChunk> chunks,
                                              std::vector<OwnArray> holders) {
  if (kind_of(value) == TypedColumn::Kind::kOther) {
    return std::make_unique<ArrowColumn>(std::move(name), named(std::move(index), value),
                                         TypedColumn::Kind::kOther, std::move(chunks),
                                         std::move(holders));
  }
  return std::make_unique<ArrowDictionary>(std::move(name), std::move(index), value,
                                           std::move(chunks), holders);
}

}  // namespace pulsecast::c
