// Forecasts, and what comes out of them.
#include <algorithm>

#include "bindings/c/arrow_export.h"
#include "bindings/c/call.h"
#include "bindings/c/handles.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/forecast_picture.h"

using namespace pulsecast;

static_assert(PULSECAST_SERIES_ENDED == static_cast<int>(ChannelForecast::Status::kEnded));
static_assert(sizeof(Instant) == sizeof(int64_t));

namespace pulsecast::c {

ForecastOptions forecast_options_of(const pulsecast_forecast_options* from) {
  const auto own = options_of(from, "options");
  ForecastOptions options{.include_ended = own.include_ended != 0};
  const double* levels = many(own.levels, own.level_count, "levels");
  options.levels.assign(levels, levels + own.level_count);
  const double* quantiles = many(own.quantiles, own.quantile_count, "quantiles");
  options.quantiles.assign(quantiles, quantiles + own.quantile_count);
  if (own.at != nullptr) options.at = Instant{*own.at};
  if (own.min != nullptr) options.min = *own.min;
  if (own.max != nullptr) options.max = *own.max;
  if (own.non_negative != 0) options.min = std::max(0.0, options.min.value_or(0.0));
  if (options.min && options.max && *options.min > *options.max) {
    throw_error(ErrorKind::kUsage, "min", "{} is above max, {}", *options.min, *options.max);
  }
  return options;
}

namespace {

const ForecastTable& own_table(const pulsecast_forecast& forecast) {
  if (forecast.table == nullptr) forecast.table = to_table(forecast.origins);
  return *forecast.table;
}

const SeriesForecast& only_origin(const pulsecast_forecast* forecast) {
  const auto& origins = given(forecast, "forecast").origins;
  if (origins.size() == 1) return origins.front();
  throw_error(ErrorKind::kUsage, "forecast", "is from {} origins, and one is needed",
              origins.size());
}

// A handle of what make() gives.
template <typename Make>
pulsecast_status make_forecast(pulsecast_forecast** forecast, pulsecast_error** error, Make make) {
  return call(error, [&] {
    auto*& out = result(forecast, "forecast");
    out = new pulsecast_forecast{make()};
  });
}

}  // namespace
}  // namespace pulsecast::c

pulsecast_status pulsecast_model_forecast(const pulsecast_model* model, const pulsecast_rows* rows,
                                          const pulsecast_forecast_options* options,
                                          pulsecast_forecast** forecast, pulsecast_error** error) {
  return c::make_forecast(forecast, error, [&] {
    return std::vector{c::given(model, "model")
                           .model->forecast(c::rows_of(rows), c::forecast_options_of(options))};
  });
}

pulsecast_status pulsecast_session_new(const pulsecast_model* model,
                                       const pulsecast_threads* threads,
                                       pulsecast_session** session, pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(session, "session");
    out = new pulsecast_session{Session(c::given(model, "model").model, c::threads_of(threads))};
  });
}

pulsecast_status pulsecast_session_forecast(pulsecast_session* session, const pulsecast_rows* rows,
                                            const pulsecast_forecast_options* options,
                                            pulsecast_forecast** forecast,
                                            pulsecast_error** error) {
  return c::make_forecast(forecast, error, [&] {
    return std::vector{c::given(session, "session")
                           .session.forecast(c::rows_of(rows), c::forecast_options_of(options))};
  });
}

pulsecast_status pulsecast_session_forecast_from(
    pulsecast_session* session, const pulsecast_rows* rows, const int64_t* origins, size_t count,
    const pulsecast_forecast_options* options, const pulsecast_watch* watch,
    pulsecast_forecast** forecast, pulsecast_error** error) {
  return c::make_forecast(forecast, error, [&] {
    c::many(origins, count, "origins");
    std::vector<Instant> stamps;
    for (std::size_t i = 0; i < count; ++i) stamps.push_back(Instant{origins[i]});
    return c::given(session, "session")
        .session.forecast(c::rows_of(rows), stamps, c::forecast_options_of(options),
                          c::watch_of(watch));
  });
}

void pulsecast_session_free(pulsecast_session* session) { delete session; }

size_t pulsecast_forecast_origins(const pulsecast_forecast* forecast) {
  return forecast == nullptr ? 0 : forecast->origins.size();
}

size_t pulsecast_forecast_series_count(const pulsecast_forecast* forecast) {
  return forecast == nullptr || forecast->origins.empty()
             ? 0
             : forecast->origins.front().channels.size();
}

pulsecast_status pulsecast_forecast_series(const pulsecast_forecast* forecast, size_t origin,
                                           size_t series, pulsecast_series* view,
                                           pulsecast_error** error) {
  return c::call(error, [&] {
    const auto& origins = c::given(forecast, "forecast").origins;
    if (origin >= origins.size() || series >= origins[origin].channels.size()) {
      throw_error(ErrorKind::kUsage, "forecast", "has no series of number {} from origin {}",
                  series, origin);
    }
    const SeriesForecast& whole = origins[origin];
    const ChannelForecast& own = whole.channels[series];
    const std::vector<Instant>& stamps = own.stamps.empty() ? whole.stamps : own.stamps;
    const bool is_forecast = !own.values.empty();
    c::show(pulsecast_series{.size = 0,
                             .id = own.channel.c_str(),
                             .status = static_cast<pulsecast_series_status>(own.status),
                             .reason = own.reason.c_str(),
                             .cutoff = own.cutoff.value_or(whole.cutoff).milliseconds,
                             .count = own.values.size(),
                             .stamps = is_forecast ? &stamps.front().milliseconds : nullptr,
                             .values = is_forecast ? own.values.data() : nullptr},
            view, "view");
  });
}

pulsecast_status pulsecast_forecast_table(const pulsecast_forecast* forecast,
                                          pulsecast_table* table, pulsecast_error** error) {
  return c::call(error, [&] {
    const c::ForecastTable& own = c::own_table(c::given(forecast, "forecast"));
    c::show(pulsecast_table{.size = 0,
                            .rows = own.rows(),
                            .series = own.series.data(),
                            .ids = own.id_texts.data(),
                            .id_count = own.ids.size(),
                            .stamps = own.stamps.data(),
                            .cutoffs = own.cutoffs.data(),
                            .statuses = own.statuses.data(),
                            .names = own.column_names.data(),
                            .columns = own.column_values.data(),
                            .column_count = own.columns.size(),
                            .zone = own.zone_name.c_str()},
            table, "table");
  });
}

pulsecast_status pulsecast_forecast_arrow_stream(const pulsecast_forecast* forecast, int flags,
                                                 ArrowArrayStream* stream,
                                                 pulsecast_error** error) {
  return c::call(error, [&] {
    c::given(stream, "stream").release = nullptr;
    constexpr int kKnown =
        PULSECAST_ARROW_NAIVE_STAMPS | PULSECAST_ARROW_COMPONENTS | PULSECAST_ARROW_CUTOFF;
    if ((flags & ~kKnown) != 0) {
      throw_error(ErrorKind::kUsage, "flags", "{} has a bit that means nothing", flags);
    }
    c::own_table(c::given(forecast, "forecast"));
    c::export_arrow(forecast->table, flags, *stream);
  });
}

pulsecast_status pulsecast_forecast_csv(const pulsecast_forecast* forecast, int with_components,
                                        char** csv, pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(csv, "csv");
    out = c::copy_of(to_long_csv(c::only_origin(forecast), with_components != 0));
  });
}

pulsecast_status pulsecast_forecast_picture(const pulsecast_forecast* forecast,
                                            const pulsecast_rows* rows, const char* path,
                                            pulsecast_error** error) {
  return c::call(error, [&] {
    const std::string_view file = c::text(path, "path");
    const bool is_png = file.ends_with(".png");
    if (!is_png && !file.ends_with(".svg")) {
      throw_error(ErrorKind::kUsage, "path", "'{}' is to end with .svg or .png", file);
    }
    const SeriesForecast& own = c::only_origin(forecast);
    const Observations& seen = c::rows_of(rows);
    write_file(file, std::string_view(is_png ? forecast_png(seen, own) : forecast_svg(seen, own)));
  });
}

void pulsecast_forecast_free(pulsecast_forecast* forecast) { delete forecast; }
