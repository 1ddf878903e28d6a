// Forecasts as columns: a row an origin, series and step, in that order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/forecast/channel_forecast.h"

namespace pulsecast::c {

struct ForecastTable {
  Zone zone;
  std::vector<std::string> ids;
  std::vector<std::int32_t> series;  // (rows) into ids
  std::vector<std::int64_t> stamps;
  std::vector<std::int64_t> cutoffs;
  std::vector<std::int32_t> statuses;  // (rows) ChannelForecast::Status

  struct Column {
    std::string name;  // "yhat", "yhat_lo_80", "q_0.1", "anchor"
    bool is_component = false;
    std::vector<double> values;  // (rows); NaN where the model did not make one
  };
  std::vector<Column> columns;

  // As C has them.
  std::vector<const char*> id_texts;
  std::vector<const char*> column_names;
  std::vector<const double*> column_values;
  std::string zone_name;

  std::size_t rows() const { return series.size(); }
};

std::shared_ptr<const ForecastTable> to_table(std::span<const SeriesForecast> origins);

}  // namespace pulsecast::c
