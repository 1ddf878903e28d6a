#include "pulsecast/benchmark/cost.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <vector>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/series/scaled_series.h"
#include "pulsecast/data/series/scaler.h"
#include "pulsecast/data/windows/windows.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/train/plan.h"

namespace pulsecast::benchmark {
namespace {

double median_milliseconds(model::Inference& inference, const Batch& batch, Forecast& forecast) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kFewest = 5, kMost = 1000;
  constexpr auto kLong = std::chrono::milliseconds(200);
  std::vector<double> times;
  const auto start = Clock::now();
  while (times.size() < kFewest || (times.size() < kMost && Clock::now() - start < kLong)) {
    const auto before = Clock::now();
    inference.forecast(batch, forecast);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

// A model and the first windows of its training rows.
class Probe {
 public:
  Probe(const Series& series, const Settings& settings, std::size_t windows)
      : plan_(train::make_plan(series, settings)),
        scaled_(series, Scaler::fit(series, plan_.split.train), plan_.calendar),
        windows_(scaled_, plan_.shape.lookback, plan_.shape.horizon, plan_.split.train,
                 History::kInside),
        batch_(allocate_batch(windows_.shape(std::min(windows, windows_.size())), arena_)),
        forecast_(allocate_forecast(batch_.shape, arena_)),
        pulse_(plan_.shape),
        pool_(1) {
    std::vector<std::uint32_t> first(batch_.shape.samples);
    std::iota(first.begin(), first.end(), 0u);
    windows_.gather(first, batch_);
  }

  // Without this weights are 0: they are counted alike, and drawing millions takes long.
  void draw_weights(std::int64_t seed) { pulse_.initialise(static_cast<std::uint64_t>(seed)); }

  Cost count() {
    pulse_.parameters().weights();  // takes their memory
    inference_.emplace(pulse_, pool_);
    inference_->forecast(batch_, forecast_);
    return {.weights = pulse_.parameters().learned_count(),
            .operations = inference_->spent() / batch_.shape.samples,
            .milliseconds = 0.0,
            .bytes = pulse_.parameters().count() * sizeof(float) + inference_->memory()};
  }
  double milliseconds() { return median_milliseconds(*inference_, batch_, forecast_); }

 private:
  train::Plan plan_;
  ScaledSeries scaled_;
  Windows windows_;
  Arena arena_;
  Batch batch_;
  Forecast forecast_;
  model::Pulse pulse_;
  ThreadPool pool_;
  std::optional<model::Inference> inference_;  // reads weights that are there
};

}  // namespace

Cost measure_cost(const Series& series, const Settings& settings) {
  Probe probe(series, settings, 1);
  probe.draw_weights(settings.training.seed);
  Cost cost = probe.count();
  cost.milliseconds = probe.milliseconds();
  return cost;
}

Cost count_cost(const Series& series, const Settings& settings, std::size_t windows) {
  return Probe(series, settings, windows).count();
}

}  // namespace pulsecast::benchmark
