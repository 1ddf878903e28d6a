// One page about a model and rows: what it forecasts, how its past forecasts fared, what it sees.
//
//   std::string html = report_page(model, model->read("load.csv"));
//
// The page stands alone: it asks no network for anything, and opens in any browser. The same model
// and rows give the same bytes, on any number of threads. However many channels and rows there are,
// it stays under 2 MB: long histories are thinned, and of many channels it says how many it shows.
#pragma once

#include <memory>
#include <string>

#include "pulsecast/forecaster.h"

namespace pulsecast {

struct ReportOptions {
  std::string title = {};  // unset: "Forecast of " and the rows' source
  ForecastOptions forecast = {};
  Threads threads = {};
  Watch watch = {};
};

// Throws Error(kData) where the rows cannot be forecast from. Rows that cannot be scored, because
// the model has seen all of them, are forecast and not scored; the page says so.
std::string report_page(const std::shared_ptr<const Model>& model, const Observations& rows,
                        const ReportOptions& options = {});

}  // namespace pulsecast
