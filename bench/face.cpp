// What the public face costs on top of the engine: forecasts of one window, warm, through
// pulsecast/forecaster.h beside the bare engine with its encodings kept, in turn in one run.
//
//   ./dev bench face
//
// The face aligns rows with the model, scales them, looks up the calendar, forecasts, and returns
// names, stamps, values and components in original units; the engine turns a gathered batch of
// floats into floats. Both walk over the test windows of ETTh1's shape (recipe, H = 96).

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "bench/peer_case.h"
#include "bench/report.h"
#include "bench/timing.h"
#include "pulsecast/base/cpu_type.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/forecaster.h"

namespace {

using namespace pulsecast;
using namespace pulsecast::bench;

constexpr std::size_t kCalls = 500;  // of a round

// Seconds of one of many calls.
double each_of(const std::function<void(std::size_t)>& call) {
  static std::size_t at = 0;
  const double seconds = seconds_of([&] {
    for (std::size_t i = 0; i < kCalls; ++i) call(at + i);
  });
  at += kCalls;
  return seconds / static_cast<double>(kCalls);
}

// Forecasts a second of `threads` threads, each with a session of its own.
double throughput(const std::shared_ptr<const Model>& model, const Observations& rows,
                  std::size_t first, std::size_t count, std::size_t threads) {
  constexpr std::size_t kEach = 4000;
  const auto work = [&](std::size_t thread) {
    Session session(model);
    for (std::size_t i = 0; i < kEach; ++i) {
      session.forecast(rows, {.at = rows.stamps()[first + (i + 31 * thread) % count]});
    }
  };
  const double seconds = seconds_of([&] {
    std::vector<std::thread> all;
    for (std::size_t t = 0; t < threads; ++t) all.emplace_back(work, t);
    for (std::thread& one : all) one.join();
  });
  return static_cast<double>(kEach * threads) / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments =
      parse_arguments(argc, argv, "one window through the public face beside the bare engine");
  const CaseName name{"ETTh1", 96};
  ThreadPool pool(1);
  PeerCase engine(name, pool);
  Settings settings = settings_of(name);
  settings.training.epochs = 1;
  const Observations rows(series_of(name));
  const auto model = fit(rows.clone(), settings);
  Session session(model);
  const std::size_t first = engine.plan().split.test.begin;
  const std::size_t count = engine.plan().split.test.size() - 96;

  // As a service has it: the newest look-back and a row more at a time.
  const Series& all = rows.series();
  Series newest = all;
  const auto cut = [](auto& values, std::size_t from, std::size_t to) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(to), values.end());
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(from));
  };
  cut(newest.stamps, first - 96, first);
  for (Channel& channel : newest.channels) cut(channel.values, first - 96, first);
  std::vector<double> values(all.channels.size());
  const Observations start(newest);
  Observations growing = start.clone();
  const auto append = [&](std::size_t) {
    if (growing.rows() >= count) growing = start.clone();
    const std::size_t row = first - 96 + growing.rows();
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = all.channels[c].values[row];
    growing.append(all.stamps[row], values);
    session.forecast(growing);
  };

  std::vector<double> bare, face, model_face, service, one, two;
  for (int round = 0; round < arguments.rounds; ++round) {
    bare.push_back(each_of([&](std::size_t i) { engine.forecast_window(i); }));
    face.push_back(each_of(
        [&](std::size_t i) { session.forecast(rows, {.at = rows.stamps()[first + i % count]}); }));
    model_face.push_back(each_of(
        [&](std::size_t i) { model->forecast(rows, {.at = rows.stamps()[first + i % count]}); }));
    service.push_back(each_of(append));
  }
  for (int round = 0; round < std::max(3, arguments.rounds / 4); ++round) {
    one.push_back(throughput(model, rows, first, count, 1));
    two.push_back(throughput(model, rows, first, count, 2));
  }
  const double bare_median = summarise(bare).median;
  const Statistic scaling = summarise_ratios(two, one);
  if (arguments.json) {
    fmt::print("{}\n", nlohmann::json{{"cpu", cpu_type()},
                                      {"engine_us", bare_median * 1e6},
                                      {"session_us", summarise(face).median * 1e6},
                                      {"session_ratio", summarise_ratios(face, bare).median},
                                      {"model_ratio", summarise_ratios(model_face, bare).median},
                                      {"append_ratio", summarise_ratios(service, bare).median},
                                      {"one_thread_per_second", summarise(one).median},
                                      {"two_threads_ratio", scaling.median}}
                           .dump(2));
    return 0;
  }
  fmt::print("### One window, warm, one thread ({})\n\n| | us | of the engine's |\n|---|---|---|\n",
             cpu_type());
  const auto line = [&](const char* what, const std::vector<double>& samples) {
    const Statistic ratio = summarise_ratios(samples, bare);
    fmt::print("| {} | {:.1f} | {:.2f} ({:.2f} to {:.2f}) |\n", what,
               summarise(samples).median * 1e6, ratio.median, ratio.low, ratio.high);
  };
  line("bare engine, encodings kept", bare);
  line("Session::forecast", face);
  line("Model::forecast, session of the model's", model_face);
  line("append a row, then Session::forecast", service);
  fmt::print(
      "\nForecasts a second with one shared model: {:.0f} on one thread; two threads {:.2f}x "
      "({:.2f} to {:.2f}).\nBars: Session::forecast at most 1.3x the engine, two threads at least "
      "1.8x one.\n",
      summarise(one).median, scaling.median, scaling.low, scaling.high);
}
