// What is behind the handles.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/c/forecast_table.h"
#include "bindings/c/pulsecast/c/pulsecast.h"
#include "pulsecast/data/readers/columns_reader.h"
#include "pulsecast/forecaster.h"

struct pulsecast_error {
  pulsecast::Error error;
  std::string json;  // that was asked for last
};

struct pulsecast_threads {
  pulsecast::Threads threads;
};

struct pulsecast_settings {
  pulsecast::Settings settings;
};

struct pulsecast_source {
  enum class Kind { kFile, kBytes, kColumns };
  Kind kind = Kind::kFile;
  std::string name;  // of the file, or what stands for it in messages
  std::string_view bytes = {};
  pulsecast::TypedColumns columns = {};
};

struct pulsecast_rows {
  std::optional<pulsecast::Observations> rows;  // none once a model was fitted to them
};

struct pulsecast_model {
  std::shared_ptr<const pulsecast::Model> model;
};

struct pulsecast_session {
  pulsecast::Session session;
};

struct pulsecast_forecast {
  std::vector<pulsecast::SeriesForecast> origins;
  // Made when it is asked for, and shared with what is exported.
  mutable std::shared_ptr<const pulsecast::c::ForecastTable> table = {};
};

struct pulsecast_inside {
  pulsecast::Inside inside;
  std::vector<uint32_t> channel = {};
  std::vector<int64_t> cutoff = {};
  std::vector<uint8_t> is_present = {};
  std::vector<double> level = {};
  std::vector<double> unit = {};
};

namespace pulsecast::c {

// The rows behind a handle; throws Error(kUsage) where there are none.
const Observations& rows_of(const pulsecast_rows* rows);

Threads threads_of(const pulsecast_threads* threads);
Watch watch_of(const pulsecast_watch* watch);
ForecastOptions forecast_options_of(const pulsecast_forecast_options* options);

}  // namespace pulsecast::c
