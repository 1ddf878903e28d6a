// A column of Arrow data over the batches that it came in.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/c/arrow_chunk.h"
#include "bindings/c/arrow_data.h"
#include "pulsecast/data/readers/typed_column.h"

namespace pulsecast::c {

TypedColumn::Kind kind_of(const ArrowType& type);

// `holders` keep the chunks alive, none of which is empty.
class ArrowColumn : public TypedColumn {
 public:
  ArrowColumn(std::string name, ArrowType type, Kind kind, std::vector<ArrowChunk> chunks,
              std::vector<OwnArray> holders)
      : TypedColumn(std::move(name), type.text, kind, rows_of(chunks)),
        type_(std::move(type)),
        chunks_(std::move(chunks)),
        holders_(std::move(holders)) {
    for (std::size_t i = 0, first = 0; i < chunks_.size(); first += chunks_[i++].rows()) {
      firsts_.push_back(first);
    }
  }

 protected:
  static std::size_t rows_of(const std::vector<ArrowChunk>& chunks) {
    std::size_t rows = 0;
    for (const ArrowChunk& chunk : chunks) rows += chunk.rows();
    return rows;
  }

  const ArrowType& arrow_type() const { return type_; }
  const std::vector<ArrowChunk>& chunks() const { return chunks_; }

  // body(number of the chunk, its first row, rows, where they go) over rows from `first` on.
  template <typename Body>
  void for_each_run(std::size_t first, std::size_t count, Body body) const {
    std::size_t chunk = chunk_of(first);
    for (std::size_t done = 0; done < count; ++chunk) {
      const std::size_t from = first + done - firsts_[chunk];
      const std::size_t rows = std::min(chunks_[chunk].rows() - from, count - done);
      body(chunk, from, rows, done);
      done += rows;
    }
  }

  // The last chunk that begins at the row or before it.
  std::size_t chunk_of(std::size_t row) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(firsts_, row) - firsts_.begin()) - 1;
  }

 private:
  ArrowType type_;
  std::vector<ArrowChunk> chunks_;
  std::vector<OwnArray> holders_;
  std::vector<std::size_t> firsts_;
};

// What the type says: numbers, stamps, text, or what no table can hold.
std::unique_ptr<TypedColumn> arrow_column(std::string name, ArrowType type,
                                          std::vector<ArrowChunk> chunks,
                                          std::vector<OwnArray> holders);

// Of numbers of values in dictionaries, one each chunk. They may be of any kind, and are taken by
// their text.
std::unique_ptr<TypedColumn> arrow_dictionary(std::string name, ArrowType index,
                                              const ArrowType& value,
                                              std::vector<ArrowChunk> chunks,
                                              std::vector<OwnArray> holders);

}  // namespace pulsecast::c
