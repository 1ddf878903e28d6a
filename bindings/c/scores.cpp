// How good a model is, and what it sees.
#include <nlohmann/json.hpp>

#include "bindings/c/call.h"
#include "bindings/c/handles.h"
#include "pulsecast/backtest.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/json/backtest_json.h"
#include "pulsecast/json/evaluation_json.h"
#include "pulsecast/report_page.h"

using namespace pulsecast;
using Json = nlohmann::ordered_json;

namespace pulsecast::c {
namespace {

Part part_of(const char* text, Part otherwise) {
  if (text == nullptr) return otherwise;
  const std::optional<Part> part = part_named(text);
  if (part) return *part;
  throw_error(ErrorKind::kUsage, "part", "expected {}; got '{}'", kPartNames, text);
}

BacktestOptions backtest_options_of(const pulsecast_backtest_options* from) {
  const auto own = options_of(from, "options");
  BacktestOptions options{.stride = own.stride == 0 ? 1 : own.stride,
                          .origins = own.origins,
                          .part = part_of(own.part, Part::kHeldOut),
                          .refit_every = own.refit_every,
                          .refit_on_drift = own.refit_on_drift != 0,
                          .history_rows = own.history_rows,
                          .drift_window = own.drift_window,
                          .resume = own.resume != 0,
                          .threads = threads_of(own.threads),
                          .watch = watch_of(own.watch)};
  if (own.out != nullptr) options.out = own.out;
  if (own.against != nullptr) {
    options.against_name = "the other model";
    options.against_model = own.against->model;
  }
  return options;
}

pulsecast_inside* inside_of(Inside inside) {
  auto own = std::make_unique<pulsecast_inside>(pulsecast_inside{std::move(inside)});
  for (const Inside::Row& row : own->inside.rows) {
    own->channel.push_back(static_cast<uint32_t>(row.channel));
    own->cutoff.push_back(row.cutoff.milliseconds);
    own->is_present.push_back(row.is_present ? 1 : 0);
    own->level.push_back(row.level);
    own->unit.push_back(row.unit);
  }
  return own.release();
}

}  // namespace
}  // namespace pulsecast::c

pulsecast_status pulsecast_evaluate(const pulsecast_model* model, const pulsecast_rows* rows,
                                    const char* part, const pulsecast_threads* threads,
                                    const pulsecast_watch* watch, char** json,
                                    pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(json, "json");
    const Observations& own = c::rows_of(rows);
    const auto [evaluation, scored] =
        c::given(model, "model")
            .model->evaluate(own, c::part_of(part, Part::kHeldOut), c::threads_of(threads),
                             c::watch_of(watch));
    std::vector<std::string> channels;
    for (std::size_t i = 0; i < own.channels(); ++i) channels.push_back(own.name(i));
    Json document = {{"part", part == nullptr ? "held-out" : part},
                     {"first", to_text(own.stamps()[scored.begin], own.zone())},
                     {"last", to_text(own.stamps()[scored.end - 1], own.zone())}};
    document.update(json::evaluation_json(evaluation, channels));
    out = c::text_of(document);
  });
}

pulsecast_status pulsecast_backtest(const pulsecast_rows* rows, const pulsecast_model* model,
                                    const pulsecast_settings* settings,
                                    const pulsecast_backtest_options* options, char** json,
                                    pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(json, "json");
    const Observations& own = c::rows_of(rows);
    if ((model == nullptr) == (settings == nullptr)) {
      throw_error(ErrorKind::kUsage, "model",
                  "and settings: one of them is needed, the other NULL");
    }
    const BacktestOptions told = c::backtest_options_of(options);
    const Backtest past = model != nullptr ? backtest(own, model->model, told)
                                           : backtest(own, complete(settings->settings), told);
    out = c::text_of(json::backtest_json(past, own.zone()));
  });
}

pulsecast_status pulsecast_look_inside(const pulsecast_model* model, const pulsecast_rows* rows,
                                       const char* part, size_t most_windows, size_t most_channels,
                                       const pulsecast_threads* threads,
                                       const pulsecast_watch* watch, pulsecast_inside** inside,
                                       pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(inside, "inside");
    out = c::inside_of(
        c::given(model, "model")
            .model->look_inside(c::rows_of(rows),
                                {c::part_of(part, Part::kAll), most_windows, most_channels},
                                c::threads_of(threads), c::watch_of(watch)));
  });
}

pulsecast_status pulsecast_inside_read(const pulsecast_inside* inside, pulsecast_inside_view* view,
                                       pulsecast_error** error) {
  return c::call(error, [&] {
    const pulsecast_inside& own = c::given(inside, "inside");
    const Inside& seen = own.inside;
    c::show(pulsecast_inside_view{.size = 0,
                                  .windows = seen.windows,
                                  .channels = seen.channels,
                                  .lookback = seen.lookback,
                                  .horizon = seen.horizon,
                                  .has_anchor = seen.has_anchor ? 1 : 0,
                                  .has_router = seen.has_router ? 1 : 0,
                                  .rows = seen.rows.size(),
                                  .channel = own.channel.data(),
                                  .cutoff = own.cutoff.data(),
                                  .is_present = own.is_present.data(),
                                  .level = own.level.data(),
                                  .unit = own.unit.data(),
                                  .history = seen.history.data(),
                                  .past_anchor = seen.past_anchor.data(),
                                  .truth = seen.truth.data(),
                                  .forecast = seen.forecast.data(),
                                  .anchor = seen.anchor.data(),
                                  .routed = seen.routed.data()},
            view, "view");
  });
}

void pulsecast_inside_free(pulsecast_inside* inside) { delete inside; }

pulsecast_status pulsecast_report(const pulsecast_model* model, const pulsecast_rows* rows,
                                  const char* title, const pulsecast_forecast_options* options,
                                  const pulsecast_threads* threads, const pulsecast_watch* watch,
                                  const char* path, pulsecast_error** error) {
  return c::call(error, [&] {
    const std::string_view file = c::text(path, "path");
    const std::string page = report_page(c::given(model, "model").model, c::rows_of(rows),
                                         {.title = title == nullptr ? "" : title,
                                          .forecast = c::forecast_options_of(options),
                                          .threads = c::threads_of(threads),
                                          .watch = c::watch_of(watch)});
    write_file(file, std::string_view(page));
  });
}
