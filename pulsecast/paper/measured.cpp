#include "pulsecast/paper/measured.h"

#include <fmt/format.h>

#include <limits>

#include "pulsecast/base/error.h"
#include "pulsecast/benchmark/run.h"
#include "pulsecast/metrics/mase.h"
#include "pulsecast/paper/estimate.h"
#include "pulsecast/train/plan.h"

namespace pulsecast::paper {
namespace {

using Json = nlohmann::json;

// A number, or nothing where it was not finite when it was kept.
double number_of(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Measuring::Measuring(const Plan& plan, ThreadPool& threads, const Watch& watch)
    : plan_(plan), threads_(threads), watch_(watch), kept_(plan.request().out / "measured.json") {}

std::string Measuring::rows_of(const std::string& dataset) {
  return plan_.file_of(dataset).sha256.substr(0, 16);
}

benchmark::Cost Measuring::cost(const std::string& model, const std::string& dataset) {
  const Json kept = kept_.of(fmt::format("cost {} {}", model, dataset), [&] {
    watch_.check("measuring");
    const benchmark::Cost cost = measured_cost(plan_.task_of({.model = model, .dataset = dataset}),
                                               *plan_.file_of(dataset).dataset);
    return Json{{"weights", cost.weights},
                {"operations", cost.operations},
                {"milliseconds", cost.milliseconds},
                {"bytes", cost.bytes}};
  });
  return {kept.value("weights", std::size_t{0}), kept.value("operations", std::size_t{0}),
          kept.value("milliseconds", 0.0), kept.value("bytes", std::size_t{0})};
}

// Rows that are too few for a horizon have none.
Mismatch Measuring::mismatch(const std::string& dataset, std::int64_t horizon) {
  const std::string key = fmt::format("mismatch {} {} {}", dataset, horizon, rows_of(dataset));
  const Json kept = kept_.of(key, [&] {
    const benchmark::Task task =
        plan_.task_of({.model = std::string(kOwnModel), .dataset = dataset, .horizon = horizon});
    const Series series = benchmark::read_rows(task.file, task.base.settings, threads_, watch_);
    const Dataset& known = *plan_.file_of(dataset).dataset;
    Mismatch found;
    try {
      found = measure_mismatch(series, mismatch_rows(known, series.rows()),
                               static_cast<std::size_t>(kLookback),
                               static_cast<std::size_t>(horizon), threads_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData) throw;
      return Json(nullptr);
    }
    return Json{{"mean_shift", found.mean_shift},
                {"deviation_shift", found.deviation_shift},
                {"spectral", found.spectral}};
  });
  const auto of = [&](const char* name) {
    return number_of(kept.is_object() ? kept.value(name, Json()) : Json());
  };
  return {.mean_shift = of("mean_shift"),
          .deviation_shift = of("deviation_shift"),
          .spectral = of("spectral")};
}

double Measuring::lag_difference(const std::string& dataset, std::size_t lag) {
  const std::string key = fmt::format("lag difference {} {} {}", dataset, lag, rows_of(dataset));
  return number_of(kept_.of(key, [&] {
    const benchmark::Task task = plan_.task_of({.model = "dlinear", .dataset = dataset});
    const Series series = benchmark::read_rows(task.file, task.base.settings, threads_, watch_);
    const benchmark::TestRows rows(series, train::make_plan(series, task.base.settings));
    const RowRange test = rows.plan().split.test;
    double sum = 0.0;
    for (std::size_t c = 0; c < rows.scaled().targets(); ++c) {
      const std::span<const float> channel = rows.scaled().channel(c);
      sum +=
          mean_lag_difference(channel.subspan(rows.scaled().lead() + test.begin, test.size()), lag);
    }
    return Json(sum / static_cast<double>(rows.scaled().targets()));
  }));
}

}  // namespace pulsecast::paper
