#include "bindings/c/source_table.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "bindings/c/arrow_columns.h"
#include "bindings/c/call.h"
#include "bindings/c/handles.h"
#include "bindings/c/plain_columns.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/json/check_json.h"
#include "pulsecast/pool_of.h"

using namespace pulsecast;
using SourceKind = pulsecast_source::Kind;

namespace pulsecast::c {
namespace {

std::string name_of(const char* name, const char* otherwise) {
  return name == nullptr ? otherwise : name;
}

// A place for a column of the caller's.
TypedColumns& columns_of(pulsecast_source* source) {
  pulsecast_source& own = given(source, "source");
  if (own.kind == SourceKind::kColumns) return own.columns;
  throw_error(ErrorKind::kUsage, "source", "is '{}', which takes no columns", own.name);
}

// A row for every one up to the last, and all of them in reach.
std::size_t checked_stride(std::size_t count, std::size_t stride) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
  if (stride == 0) throw_error(ErrorKind::kUsage, "stride", "is 0");
  if (count > 0 && stride > kMost / count) {
    throw_error(ErrorKind::kUsage, "stride", "{} values {} apart are more than there is memory",
                count, stride);
  }
  return stride;
}

std::optional<Zone> zone_named(const char* zone) {
  if (zone == nullptr) return std::nullopt;
  return std::string_view(zone) == "UTC" ? Zone() : Zone::named(zone);
}

}  // namespace

Table table_of(const pulsecast_source& source, const DataSettings& settings, ThreadPool& threads,
               const Watch& watch) {
  switch (source.kind) {
    case SourceKind::kFile:
      return read_table(source.name, settings, threads, watch);
    case SourceKind::kBytes:
      return read_table(memory_source(source.bytes), source.name, settings, threads, watch);
    case SourceKind::kColumns:
      break;
  }
  return read_columns(source.columns, source.name, settings, watch);
}

}  // namespace pulsecast::c

pulsecast_status pulsecast_source_file(const char* path, pulsecast_source** source,
                                       pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(source, "source");
    out = new pulsecast_source{SourceKind::kFile, std::string(c::text(path, "path"))};
  });
}

pulsecast_status pulsecast_source_bytes(const void* bytes, size_t size, const char* name,
                                        pulsecast_source** source, pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(source, "source");
    const auto* own = static_cast<const char*>(c::many(bytes, size, "bytes"));
    out =
        new pulsecast_source{SourceKind::kBytes, c::name_of(name, "bytes in memory"), {own, size}};
  });
}

pulsecast_status pulsecast_source_arrow(ArrowSchema* schema, ArrowArray* array, const char* name,
                                        pulsecast_source** source, pulsecast_error** error) {
  return c::call(error, [&] {
    // Before anything can fail: they are ours to release.
    const auto batches = c::take_arrow(schema, array);
    auto*& out = c::result(source, "source");
    std::string own = c::name_of(name, "an Arrow record batch");
    TypedColumns columns = c::arrow_columns(batches, own);
    out = new pulsecast_source{SourceKind::kColumns, std::move(own), {}, std::move(columns)};
  });
}

pulsecast_status pulsecast_source_arrow_stream(ArrowArrayStream* stream, const char* name,
                                               pulsecast_source** source, pulsecast_error** error) {
  return c::call(error, [&] {
    std::string own = c::name_of(name, "an Arrow stream");
    const auto batches = c::take_arrow_stream(stream, own);
    auto*& out = c::result(source, "source");
    TypedColumns columns = c::arrow_columns(batches, own);
    out = new pulsecast_source{SourceKind::kColumns, std::move(own), {}, std::move(columns)};
  });
}

pulsecast_status pulsecast_source_columns(const char* name, pulsecast_source** source,
                                          pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(source, "source");
    out = new pulsecast_source{SourceKind::kColumns, c::name_of(name, "columns in memory")};
  });
}

pulsecast_status pulsecast_source_add_doubles(pulsecast_source* source, const char* column,
                                              const double* values, size_t count, size_t stride,
                                              pulsecast_error** error) {
  return c::call(error, [&] {
    c::columns_of(source).push_back(c::plain_column(std::string(c::text(column, "column")),
                                                    c::many(values, count, "values"), count,
                                                    c::checked_stride(count, stride)));
  });
}

pulsecast_status pulsecast_source_add_floats(pulsecast_source* source, const char* column,
                                             const float* values, size_t count, size_t stride,
                                             pulsecast_error** error) {
  return c::call(error, [&] {
    c::columns_of(source).push_back(c::plain_column(std::string(c::text(column, "column")),
                                                    c::many(values, count, "values"), count,
                                                    c::checked_stride(count, stride)));
  });
}

pulsecast_status pulsecast_source_add_stamps(pulsecast_source* source, const char* column,
                                             const int64_t* milliseconds, size_t count,
                                             const char* zone, pulsecast_error** error) {
  return c::call(error, [&] {
    c::columns_of(source).push_back(c::plain_stamps(std::string(c::text(column, "column")),
                                                    c::many(milliseconds, count, "milliseconds"),
                                                    count, c::zone_named(zone)));
  });
}

pulsecast_status pulsecast_source_add_labels(pulsecast_source* source, const char* column,
                                             const int32_t* codes, size_t count,
                                             const char* const* labels, size_t label_count,
                                             pulsecast_error** error) {
  return c::call(error, [&] {
    c::many(codes, count, "codes");
    c::many(labels, label_count, "labels");
    std::vector<std::string> own;
    for (std::size_t i = 0; i < label_count; ++i) own.emplace_back(c::text(labels[i], "labels"));
    c::columns_of(source).push_back(
        c::plain_labels(std::string(c::text(column, "column")), codes, count, std::move(own)));
  });
}

void pulsecast_source_free(pulsecast_source* source) { delete source; }

pulsecast_status pulsecast_check(const pulsecast_source* source, const pulsecast_settings* settings,
                                 const pulsecast_threads* threads, const pulsecast_watch* watch,
                                 int words, char** json, pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(json, "json");
    const Words& own_words = c::words_of(words);
    const DataSettings own = settings == nullptr ? DataSettings() : settings->settings.data;
    PoolOf pool(c::threads_of(threads));
    Table table = c::table_of(c::given(source, "source"), own, pool.pool(), c::watch_of(watch));
    const Diagnosis diagnosis = examine(table, own);
    const Zone zone = table.zone;
    const train::Rehearsal outcome = train::rehearse(std::move(table), own, pool.pool());
    out = c::text_of(json::check_json(diagnosis, zone, outcome, own_words));
  });
}
