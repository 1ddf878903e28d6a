#include "bindings/c/arrow_columns.h"

#include <fmt/format.h>

#include "bindings/c/arrow_column.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::c {
namespace {

// Rows of a record batch that are null as a whole have no meaning.
void check_batch(const ArrowArray& batch, const ArrowSchema& schema, const std::string& source) {
  check_array(batch, read_arrow_type(schema.format), source, "");
  if (batch.n_children != schema.n_children) {
    throw_error(ErrorKind::kData, source, "the Arrow schema has {} columns, and a batch {}",
                schema.n_children, batch.n_children);
  }
  if (batch.n_children > 0 && batch.children == nullptr) {
    throw_error(ErrorKind::kData, source, "the columns of a batch are NULL");
  }
  const ArrowChunk rows(batch, static_cast<std::size_t>(batch.offset),
                        static_cast<std::size_t>(batch.length));
  for (std::size_t row = 0; rows.has_nulls() && row < rows.rows(); ++row) {
    if (rows.is_null(row)) throw_error(ErrorKind::kData, source, "row {} is null", row + 1);
  }
}

// Of what a dictionary holds; nothing known where it is none by its indices, or one of another's.
ArrowType value_type(const ArrowSchema& column) {
  const bool is_known =
      read_arrow_type(column.format).is_integer() && column.dictionary->dictionary == nullptr;
  return read_arrow_type(is_known ? column.dictionary->format : "");
}

// The rows of a batch's column.
ArrowChunk chunk_of(const ArrowArray& batch, const ArrowSchema& schema, std::int64_t column,
                    const ArrowType& type, const std::string& source, const std::string& name) {
  const ArrowArray* child = batch.children[column];
  const auto refuse = [&](const std::string& fault) {
    throw_error(ErrorKind::kData, Place(source).in_column(name),
                "the Arrow data is not what its schema says: {}", fault);
  };
  if (child == nullptr) refuse("it is NULL");
  // Of what is not read nothing need be known but how long it is.
  if (kind_of(type) != TypedColumn::Kind::kOther) {
    check_array(*child, type, source, name);
  }
  if (child->length < batch.offset + batch.length) {
    refuse(fmt::format("it has {} values for {} rows from {} on", child->length, batch.length,
                       batch.offset));
  }
  const ArrowSchema& own = *schema.children[column];
  if ((own.dictionary != nullptr) != (child->dictionary != nullptr)) {
    refuse("of schema and data one has a dictionary and the other none");
  }
  if (own.dictionary != nullptr) {
    const ArrowType values = value_type(own);
    if (kind_of(values) != TypedColumn::Kind::kOther) {
      check_array(*child->dictionary, values, source, name);
    }
  }
  return {*child, static_cast<std::size_t>(child->offset + batch.offset),
          static_cast<std::size_t>(batch.length)};
}

}  // namespace

TypedColumns arrow_columns(const ArrowBatches& batches, const std::string& source) {
  const ArrowSchema& schema = *batches.schema;
  check_schema(schema, source);
  for (const OwnArray& batch : batches.arrays) check_batch(*batch, schema, source);
  TypedColumns columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& own = *schema.children[i];
    std::string name = own.name == nullptr ? "" : own.name;
    ArrowType type = read_arrow_type(own.format);
    std::vector<ArrowChunk> chunks;
    for (const OwnArray& batch : batches.arrays) {
      const ArrowChunk chunk = chunk_of(*batch, schema, i, type, source, name);
      if (chunk.rows() > 0) chunks.push_back(chunk);
    }
    columns.push_back(
        own.dictionary == nullptr
            ? arrow_column(std::move(name), std::move(type), std::move(chunks), batches.arrays)
            : arrow_dictionary(std::move(name), std::move(type), value_type(own), std::move(chunks),
                               batches.arrays));
  }
  return columns;
}

}  // namespace pulsecast::c
