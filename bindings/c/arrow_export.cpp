#include "bindings/c/arrow_export.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "pulsecast/calendar/civil.h"

namespace pulsecast::c {
namespace {

// What a schema or an array of ours holds; each child has its own, since it may be moved away.
struct SchemaHeld {
  std::string format;
  std::string name;
  std::vector<ArrowSchema*> children;
};

struct ArrayHeld {
  std::shared_ptr<const ForecastTable> table;  // most buffers are its columns
  std::vector<std::vector<std::uint8_t>> bytes;
  std::vector<std::int64_t> stamps;
  std::vector<const void*> buffers;
  std::vector<ArrowArray*> children;
};

template <typename Struct, typename Held>
void release(Struct* part) {
  for (std::int64_t i = 0; i < part->n_children; ++i) {
    if (part->children[i]->release != nullptr) part->children[i]->release(part->children[i]);
    delete part->children[i];
  }
  if (part->dictionary != nullptr) {
    if (part->dictionary->release != nullptr) part->dictionary->release(part->dictionary);
    delete part->dictionary;
  }
  delete static_cast<Held*>(part->private_data);
  part->release = nullptr;
}

// While it is built; what fails midway is released.
template <typename Struct>
using Building = std::unique_ptr<Struct, void (*)(Struct*)>;

template <typename Struct>
Building<Struct> building(Struct filled) {
  return {new Struct(filled), [](Struct* part) {
            if (part->release != nullptr) part->release(part);
            delete part;
          }};
}

Building<ArrowSchema> schema_of(std::string format, std::string name, std::int64_t flags) {
  auto held = std::make_unique<SchemaHeld>(SchemaHeld{std::move(format), std::move(name), {}});
  ArrowSchema schema{};
  schema.format = held->format.c_str();
  schema.name = held->name.c_str();
  schema.flags = flags;
  schema.release = release<ArrowSchema, SchemaHeld>;
  auto part = building(schema);
  part->private_data = held.release();
  return part;
}

Building<ArrowArray> array_of(std::unique_ptr<ArrayHeld> held, std::size_t length) {
  ArrowArray array{};
  array.length = static_cast<std::int64_t>(length);
  array.n_buffers = static_cast<std::int64_t>(held->buffers.size());
  array.buffers = held->buffers.data();
  array.release = release<ArrowArray, ArrayHeld>;
  auto part = building(array);
  part->private_data = held.release();
  return part;
}

template <typename Held, typename Struct>
void adopt(Struct& parent, Building<Struct> child) {
  auto& children = static_cast<Held*>(parent.private_data)->children;
  children.push_back(nullptr);
  children.back() = child.release();
  parent.children = children.data();
  parent.n_children = static_cast<std::int64_t>(children.size());
}

std::unique_ptr<ArrayHeld> holding(const std::shared_ptr<const ForecastTable>& table) {
  return std::make_unique<ArrayHeld>(ArrayHeld{table, {}, {}, {}, {}});
}

// Buffers of no bytes are no null pointers.
template <typename Value>
const void* buffer(const std::vector<Value>& values) {
  static const std::int64_t nothing = 0;
  return values.empty() ? static_cast<const void*>(&nothing) : values.data();
}

Building<ArrowArray> texts_of(const std::shared_ptr<const ForecastTable>& table,
                              const std::vector<std::string>& texts) {
  auto held = holding(table);
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> offsets((texts.size() + 1) * sizeof(std::int32_t));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    bytes.insert(bytes.end(), texts[i].begin(), texts[i].end());
    if (bytes.size() > std::numeric_limits<std::int32_t>::max()) throw std::bad_alloc();
    const auto end = static_cast<std::int32_t>(bytes.size());
    std::copy_n(reinterpret_cast<const std::uint8_t*>(&end), sizeof end,
                offsets.data() + (i + 1) * sizeof end);
  }
  held->bytes = {std::move(offsets), std::move(bytes)};
  held->buffers = {nullptr, held->bytes[0].data(), buffer(held->bytes[1])};
  return array_of(std::move(held), texts.size());
}

Building<ArrowArray> labels_of(const std::shared_ptr<const ForecastTable>& table,
                               const std::vector<std::int32_t>& codes,
                               const std::vector<std::string>& texts) {
  auto held = holding(table);
  held->buffers = {nullptr, buffer(codes)};
  Building<ArrowArray> array = array_of(std::move(held), codes.size());
  array->dictionary = texts_of(table, texts).release();
  return array;
}

Building<ArrowSchema> labels_schema(const char* name) {
  Building<ArrowSchema> schema = schema_of("i", name, 0);
  schema->dictionary = schema_of("u", "", 0).release();
  return schema;
}

Building<ArrowArray> stamps_of(const std::shared_ptr<const ForecastTable>& table,
                               const std::vector<std::int64_t>& stamps, bool is_naive) {
  auto held = holding(table);
  if (is_naive && !table->zone.is_utc()) {
    for (const std::int64_t stamp : stamps) {
      held->stamps.push_back(wall_milliseconds(table->zone.to_wall(Instant{stamp})));
    }
    held->buffers = {nullptr, buffer(held->stamps)};
  } else {
    held->buffers = {nullptr, buffer(stamps)};
  }
  return array_of(std::move(held), stamps.size());
}

Building<ArrowArray> numbers_of(const std::shared_ptr<const ForecastTable>& table,
                                const std::vector<double>& values) {
  auto held = holding(table);
  std::int64_t nulls = 0;
  std::vector<std::uint8_t> valid((values.size() + 7) / 8);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const bool is_there = !std::isnan(values[row]);
    nulls += is_there ? 0 : 1;
    valid[row / 8] |= static_cast<std::uint8_t>(is_there ? 1 << (row % 8) : 0);
  }
  held->bytes = {std::move(valid)};
  held->buffers = {nulls == 0 ? nullptr : held->bytes.front().data(), buffer(values)};
  Building<ArrowArray> array = array_of(std::move(held), values.size());
  array->null_count = nulls;
  return array;
}

std::vector<std::string> status_names() {
  using Status = ChannelForecast::Status;
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Status::kEnded); ++i) {
    names.emplace_back(name(static_cast<Status>(i)));
  }
  return names;
}

struct StreamHeld {
  std::shared_ptr<const ForecastTable> table;
  int flags;
  bool is_over = false;

  bool has(int flag) const { return (flags & flag) != 0; }
  bool has(const ForecastTable::Column& column) const {
    return !column.is_component || has(PULSECAST_ARROW_COMPONENTS);
  }

  Building<ArrowSchema> schema() const {
    const std::string stamp =
        "tsm:" + (has(PULSECAST_ARROW_NAIVE_STAMPS) ? std::string() : table->zone_name);
    Building<ArrowSchema> batch = schema_of("+s", "", 0);
    const auto add = [&](Building<ArrowSchema> column) {
      adopt<SchemaHeld>(*batch, std::move(column));
    };
    add(labels_schema("unique_id"));
    add(schema_of(stamp, "ds", 0));
    if (has(PULSECAST_ARROW_CUTOFF)) add(schema_of(stamp, "cutoff", 0));
    for (const ForecastTable::Column& column : table->columns) {
      if (has(column)) add(schema_of("g", column.name, ARROW_FLAG_NULLABLE));
    }
    add(labels_schema("status"));
    return batch;
  }

  Building<ArrowArray> batch() const {
    const bool is_naive = has(PULSECAST_ARROW_NAIVE_STAMPS);
    auto held = holding(table);
    held->buffers = {nullptr};
    Building<ArrowArray> batch = array_of(std::move(held), table->rows());
    const auto add = [&](Building<ArrowArray> column) {
      adopt<ArrayHeld>(*batch, std::move(column));
    };
    add(labels_of(table, table->series, table->ids));
    add(stamps_of(table, table->stamps, is_naive));
    if (has(PULSECAST_ARROW_CUTOFF)) add(stamps_of(table, table->cutoffs, is_naive));
    for (const ForecastTable::Column& column : table->columns) {
      if (has(column)) add(numbers_of(table, column.values));
    }
    add(labels_of(table, table->statuses, status_names()));
    return batch;
  }
};

// What is made goes out; what is left behind is the empty shell.
template <typename Struct, typename Make>
int put(Struct* out, Make make) noexcept {
  try {
    Building<Struct> made = make();
    *out = *made;
    made->release = nullptr;
    return 0;
  } catch (const std::exception&) {
    out->release = nullptr;
    return ENOMEM;
  }
}

StreamHeld& held_by(ArrowArrayStream* stream) {
  return *static_cast<StreamHeld*>(stream->private_data);
}

}  // namespace

void export_arrow(std::shared_ptr<const ForecastTable> table, int flags, ArrowArrayStream& stream) {
  auto held = std::make_unique<StreamHeld>(StreamHeld{std::move(table), flags});
  stream.get_schema = [](ArrowArrayStream* own, ArrowSchema* out) {
    return put(out, [&] { return held_by(own).schema(); });
  };
  stream.get_next = [](ArrowArrayStream* own, ArrowArray* out) {
    if (std::exchange(held_by(own).is_over, true)) {
      *out = ArrowArray{};
      return 0;
    }
    return put(out, [&] { return held_by(own).batch(); });
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "there is no memory for it"; };
  stream.release = [](ArrowArrayStream* own) {
    delete &held_by(own);
    own->release = nullptr;
  };
  stream.private_data = held.release();
}

}  // namespace pulsecast::c
