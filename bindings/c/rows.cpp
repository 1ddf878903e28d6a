// Rows as a model sees them.
#include <nlohmann/json.hpp>

#include "bindings/c/call.h"
#include "bindings/c/handles.h"
#include "bindings/c/source_table.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/pool_of.h"

using namespace pulsecast;
using Json = nlohmann::ordered_json;

namespace pulsecast::c {

const Observations& rows_of(const pulsecast_rows* rows) {
  const auto& own = given(rows, "rows").rows;
  if (!own)
    throw_error(ErrorKind::kUsage, "rows", "were taken by the model that was fitted to them");
  return *own;
}

namespace {

// Recipes have a say in how rows are read.
DataSettings reading_settings(const pulsecast_settings* settings, const Model* model) {
  if (model == nullptr) {
    return complete(settings == nullptr ? Settings() : settings->settings).data;
  }
  return settings == nullptr ? model->reading_settings() : settings->settings.data;
}

}  // namespace
}  // namespace pulsecast::c

pulsecast_status pulsecast_rows_new(const pulsecast_source* source,
                                    const pulsecast_settings* settings,
                                    const pulsecast_model* model, const pulsecast_threads* threads,
                                    const pulsecast_watch* watch, pulsecast_rows** rows,
                                    pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(rows, "rows");
    const Model* whose = model == nullptr ? nullptr : model->model.get();
    const DataSettings own = c::reading_settings(settings, whose);
    PoolOf pool(c::threads_of(threads));
    Observations read(
        repair(c::table_of(c::given(source, "source"), own, pool.pool(), c::watch_of(watch)), own));
    out = new pulsecast_rows{whose == nullptr ? std::move(read) : whose->take(std::move(read))};
  });
}

pulsecast_status pulsecast_rows_clone(const pulsecast_rows* rows, pulsecast_rows** copy,
                                      pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(copy, "copy");
    out = new pulsecast_rows{c::rows_of(rows).clone()};
  });
}

pulsecast_status pulsecast_rows_json(const pulsecast_rows* rows, char** json,
                                     pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(json, "json");
    const Observations& own = c::rows_of(rows);
    Json channels = Json::array();
    for (std::size_t i = 0; i < own.channels(); ++i) {
      channels.push_back({{"name", own.name(i)}, {"role", name(own.role(i))}});
    }
    const auto stamp = [&](std::size_t row) {
      return own.rows() == 0 ? Json() : Json(to_iso_text(own.stamps()[row], own.zone()));
    };
    out = c::text_of({{"source", own.source()},
                      {"rows", own.rows()},
                      {"step", own.step().to_string()},
                      {"zone", own.zone().name()},
                      {"long", own.is_long()},
                      {"first", stamp(0)},
                      {"last", stamp(own.rows() - 1)},
                      {"channels", std::move(channels)},
                      {"repairs", own.repairs()},
                      {"left_out", own.left_out()}});
  });
}

size_t pulsecast_rows_channels(const pulsecast_rows* rows) {
  return rows == nullptr || !rows->rows ? 0 : rows->rows->channels();
}

pulsecast_status pulsecast_rows_stamps(const pulsecast_rows* rows, const int64_t** milliseconds,
                                       size_t* count, pulsecast_error** error) {
  return c::call(error, [&] {
    const int64_t*& out = c::result(milliseconds, "milliseconds");
    const std::span<const Instant> stamps = c::rows_of(rows).stamps();
    c::given(count, "count") = stamps.size();
    out = stamps.empty() ? nullptr : &stamps.front().milliseconds;
  });
}

pulsecast_status pulsecast_rows_values(const pulsecast_rows* rows, size_t channel,
                                       const double** values, size_t* count, size_t* first,
                                       pulsecast_error** error) {
  return c::call(error, [&] {
    const double*& out = c::result(values, "values");
    const Observations& own = c::rows_of(rows);
    if (channel >= own.channels()) {
      throw_error(ErrorKind::kUsage, "channel", "there is none of number {} among {}", channel,
                  own.channels());
    }
    c::given(count, "count") = own.values(channel).size();
    c::given(first, "first") = own.first_row(channel);
    out = own.values(channel).data();
  });
}

pulsecast_status pulsecast_rows_append(pulsecast_rows* rows, int64_t milliseconds,
                                       const double* values, size_t count,
                                       pulsecast_error** error) {
  return c::call(error, [&] {
    c::rows_of(rows);
    rows->rows->append(Instant{milliseconds}, {c::many(values, count, "values"), count});
  });
}

void pulsecast_rows_free(pulsecast_rows* rows) { delete rows; }
