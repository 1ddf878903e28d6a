#include "bindings/c/arrow_data.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "bindings/c/call.h"

namespace pulsecast::c {
namespace {

// Moves a struct of the interface out of `from`, which is then marked as released.
template <typename Struct>
std::shared_ptr<const Struct> take(Struct* from) {
  if (from == nullptr || from->release == nullptr) return nullptr;
  Struct own = *from;
  from->release = nullptr;
  try {
    return std::shared_ptr<const Struct>(new Struct(own), [](const Struct* held) {
      auto* owned = const_cast<Struct*>(held);  // NOLINT(*-const-cast): made above, and not const
      if (owned->release != nullptr) owned->release(owned);
      delete owned;
    });
  } catch (...) {
    own.release(&own);
    throw;
  }
}

template <typename Held>
Held required(Held held, const char* what) {
  if (held == nullptr) throw_error(ErrorKind::kUsage, what, "is NULL, or was released already");
  return held;
}

struct StreamRelease {
  void operator()(ArrowArrayStream* stream) const {
    if (stream->release != nullptr) stream->release(stream);
  }
};

void require_stream(ArrowArrayStream& stream, int status, const std::string& source) {
  if (status == 0) return;
  const char* why = stream.get_last_error == nullptr ? nullptr : stream.get_last_error(&stream);
  throw_error(ErrorKind::kInputOutput, source, "the stream ends with error {}: {}", status,
              why == nullptr ? "it does not say why" : why);
}

[[noreturn]] void refuse(const std::string& source, const std::string& column,
                         const std::string& fault) {
  throw_error(ErrorKind::kData, Place(source).in_column(column),
              "the Arrow data is not what its schema says: {}", fault);
}

}  // namespace

ArrowBatches take_arrow(ArrowSchema* schema, ArrowArray* array) {
  OwnSchema own_schema = take(schema);
  OwnArray own_array = take(array);
  return {required(std::move(own_schema), "schema"), {required(std::move(own_array), "array")}};
}

ArrowBatches take_arrow_stream(ArrowArrayStream* stream, const std::string& source) {
  const std::unique_ptr<ArrowArrayStream, StreamRelease> own(&given(stream, "stream"));
  if (stream->release == nullptr || stream->get_schema == nullptr || stream->get_next == nullptr) {
    throw_error(ErrorKind::kUsage, "stream", "was released already");
  }
  ArrowSchema schema{};
  require_stream(*stream, stream->get_schema(stream, &schema), source);
  ArrowBatches batches{required(take(&schema), "schema"), {}};
  for (;;) {
    ArrowArray array{};
    require_stream(*stream, stream->get_next(stream, &array), source);
    OwnArray batch = take(&array);
    if (batch == nullptr) return batches;
    batches.arrays.push_back(std::move(batch));
  }
}

void check_schema(const ArrowSchema& schema, const std::string& source) {
  const auto refuse_schema = [&](const char* fault) {
    throw_error(ErrorKind::kData, source, "the Arrow schema cannot be read: {}", fault);
  };
  if (schema.format == nullptr) refuse_schema("it has no format");
  const ArrowType type = read_arrow_type(schema.format);
  if (type.kind != ArrowKind::kStruct) {
    throw_error(ErrorKind::kData, source,
                "expected a record batch (format '+s'), a column for each child; got {}",
                type.text);
  }
  if (schema.n_children < 0) refuse_schema("it has a negative number of children");
  if (schema.n_children > 0 && schema.children == nullptr) refuse_schema("its children are NULL");
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* child = schema.children[i];
    if (child == nullptr || child->release == nullptr) {
      refuse_schema("a child is NULL, or was released already");
    }
    if (child->format == nullptr) refuse_schema("a child has no format");
    if (child->dictionary != nullptr && child->dictionary->format == nullptr) {
      refuse_schema("a dictionary has no format");
    }
  }
}

void check_array(const ArrowArray& array, const ArrowType& type, const std::string& source,
                 const std::string& column) {
  constexpr std::int64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t kMostOffset = std::numeric_limits<std::int64_t>::max() / 64;
  if (array.release == nullptr) refuse(source, column, "it was released already");
  if (array.length < 0 || array.offset < 0) {
    refuse(source, column,
           fmt::format("its length is {} and its offset {}", array.length, array.offset));
  }
  if (array.length > kMostRows || array.offset > kMostOffset) {
    throw_error(ErrorKind::kData, Place(source).in_column(column),
                "has {} values from {} on; the most rows are {}", array.length, array.offset,
                kMostRows);
  }
  const auto expected = static_cast<std::int64_t>(arrow_buffers(type.kind));
  const bool is_view = type.kind == ArrowKind::kUtf8View;
  if (is_view ? array.n_buffers < expected : array.n_buffers != expected) {
    refuse(source, column,
           fmt::format("{} has {}{} buffers, and there are {}", type.text,
                       is_view ? "at least " : "", expected, array.n_buffers));
  }
  if (expected > 0 && array.buffers == nullptr) refuse(source, column, "its buffers are NULL");
  if (array.length == 0) return;
  // The first buffer says which values are missing, and may be none; of a view the last but one may
  // hold no text.
  const std::int64_t needed = is_view ? 2 : expected;
  for (std::int64_t i = 1; i < needed; ++i) {
    // Text of which nothing is there needs no bytes.
    const bool is_bytes = type.is_text() && !is_view && i == 2;
    if (array.buffers[i] == nullptr && !is_bytes) {
      refuse(source, column, fmt::format("buffer {} is NULL", i));
    }
  }
  if (is_view && array.n_buffers > expected && array.buffers[array.n_buffers - 1] == nullptr) {
    refuse(source, column, "the sizes of its text are NULL");
  }
}

}  // namespace pulsecast::c
