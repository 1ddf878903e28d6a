// Models: fitted, loaded, saved, looked at.
#include <nlohmann/json.hpp>

#include "bindings/c/call.h"
#include "bindings/c/handles.h"
#include "bindings/c/model_text.h"
#include "pulsecast/json/model_json.h"

using namespace pulsecast;

namespace pulsecast::c {
namespace {

FitOptions fit_options_of(const pulsecast_fit_options* from) {
  const auto own = options_of(from, "options");
  FitOptions options{.refit = own.refit != 0,
                     .watch = watch_of(own.watch),
                     .resume = own.resume != 0,
                     .allow_other_cpu = own.allow_other_cpu != 0};
  if (own.threads != nullptr) options.threads = threads_of(own.threads);
  if (own.checkpoint != nullptr) options.checkpoint = own.checkpoint;
  if (own.from != nullptr) options.from = own.from->model;
  if (own.on_plan != nullptr) {
    options.on_plan = [own](const FitPlan& plan) {
      own.on_plan(own.context, plan_json(plan).dump().c_str());
    };
  }
  if (own.on_step != nullptr) {
    options.on_step = [own](const train::StepReport& step) {
      own.on_step(own.context, step.epoch, step.epochs, step.step, step.steps, step.mean_loss);
    };
  }
  if (own.on_epoch != nullptr) {
    options.on_epoch = [own](std::span<const train::EpochRecord> history, bool is_best) {
      const train::EpochRecord& last = history.back();
      own.on_epoch(own.context, last.epoch, last.learning_rate, last.training_loss,
                   last.validation_mse, last.seconds, is_best ? 1 : 0);
    };
  }
  return options;
}

// A handle of what make() gives.
template <typename Make>
pulsecast_status make_model(pulsecast_model** model, pulsecast_error** error, Make make) {
  return call(error, [&] {
    auto*& out = result(model, "model");
    out = new pulsecast_model{make()};
  });
}

// Tells of a model in JSON.
template <typename Tell>
pulsecast_status tell_model(const pulsecast_model* model, char** json, pulsecast_error** error,
                            Tell tell) {
  return call(error, [&] {
    char*& out = result(json, "json");
    out = text_of(tell(*given(model, "model").model));
  });
}

}  // namespace
}  // namespace pulsecast::c

pulsecast_status pulsecast_fit(pulsecast_rows* rows, const pulsecast_settings* settings,
                               const pulsecast_fit_options* options, pulsecast_model** model,
                               pulsecast_error** error) {
  return c::make_model(model, error, [&] {
    c::rows_of(rows);
    Observations own = std::move(*rows->rows);
    rows->rows.reset();
    return fit(std::move(own), complete(settings == nullptr ? Settings() : settings->settings),
               c::fit_options_of(options));
  });
}

pulsecast_status pulsecast_model_load(const char* path, pulsecast_model** model,
                                      pulsecast_error** error) {
  return c::make_model(model, error, [&] { return Model::load(c::text(path, "path")); });
}

pulsecast_status pulsecast_model_from_bytes(const void* bytes, size_t size, pulsecast_model** model,
                                            pulsecast_error** error) {
  return c::make_model(model, error, [&] {
    return Model::from_bytes({static_cast<const char*>(c::many(bytes, size, "bytes")), size});
  });
}

pulsecast_status pulsecast_model_save(const pulsecast_model* model, const char* path,
                                      pulsecast_error** error) {
  return c::call(error, [&] { c::given(model, "model").model->save(c::text(path, "path")); });
}

pulsecast_status pulsecast_model_to_bytes(const pulsecast_model* model, char** bytes, size_t* size,
                                          pulsecast_error** error) {
  return c::call(error, [&] {
    char*& out = c::result(bytes, "bytes");
    std::size_t& length = c::given(size, "size");
    const std::string all = c::given(model, "model").model->to_bytes();
    length = all.size();
    out = c::copy_of(all);
  });
}

pulsecast_status pulsecast_model_card(const pulsecast_model* model, char** json,
                                      pulsecast_error** error) {
  return c::tell_model(model, json, error, c::card_json);
}

pulsecast_status pulsecast_model_inspect(const pulsecast_model* model, char** json,
                                         pulsecast_error** error) {
  return c::tell_model(model, json, error,
                       [](const Model& own) { return json::model_json(own.inside()); });
}

pulsecast_status pulsecast_model_fitted(const pulsecast_model* model, char** json,
                                        pulsecast_error** error) {
  return c::tell_model(model, json, error, c::fitted_json);
}

void pulsecast_model_free(pulsecast_model* model) { delete model; }
