#include "bench/own_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/peer.h"
#include "bench/report.h"
#include "bench/timing.h"
#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::bench {
namespace {

double middle(std::vector<double> samples) { return summarise(std::move(samples)).median; }

// What MKL reaches on as many threads, in GFLOP/s; 0 where there is none.
double mkl_rate(const std::string& python, std::size_t threads) {
  Peer peer(python, "torch_products.py");
  constexpr std::size_t n = 768;
  const std::size_t m = threads * n;
  std::vector<double> rates = {0.0};
  for (int i = 0; i < 15 && peer.available(); ++i) {
    const auto seconds = peer.seconds(fmt::format("{}_{}_{}_{}", m, n, n, threads), 5);
    if (seconds) rates.push_back(2e-9 * static_cast<double>(m * n * n) / *seconds);
  }
  return middle(rates);
}

// What our products reach on all threads at once.
double own_rate(ThreadPool& pool) {
  constexpr std::size_t n = 768;
  std::vector<std::vector<float>> memory(pool.size(), std::vector<float>(3 * n * n, 0.5f));
  const auto product = [&](std::size_t task, std::size_t) {
    float* a = memory[task].data();
    kernels::matrix_product(n, n, n, {a, n}, {a + n * n, n}, {.data = a + 2 * n * n, .stride = n});
  };
  std::vector<double> rates;
  for (int i = 0; i < 15; ++i) {
    const double seconds = seconds_of([&] { pool.run(pool.size(), product); });
    rates.push_back(2.0 * n * n * n * static_cast<double>(pool.size()) / seconds / 1e9);
  }
  return middle(rates);
}

struct Roof {
  std::string name;
  double gflop = 0.0;  // of products really executed in a step
  double seconds = 0.0;
  double sgemm = 0.0;  // GFLOP/s
  std::vector<profile::Entry> entries;
  int steps = 0;
};

Roof measure_roof(const CaseName& name, ThreadPool& pool, double mkl) {
  PeerCase ours(name, pool);
  for (int i = 0; i < 3; ++i) ours.step();
  std::vector<double> seconds;
  std::vector<double> rates;
  for (int round = 0; round < 5; ++round) {
    rates.push_back(own_rate(pool));
    for (int i = 0; i < 5; ++i) seconds.push_back(seconds_of([&] { ours.step(); }));
  }
  Roof roof{.name = name.text(),
            .seconds = middle(seconds),
            .sgemm = std::max(mkl, middle(rates)),
            .entries = {},
            .steps = 10};
  profile::start();
  for (int i = 0; i < roof.steps; ++i) ours.step();
  roof.entries = profile::stop();
  for (const profile::Entry& entry : roof.entries) roof.gflop += entry.flop / 1e9 / roof.steps;
  return roof;
}

}  // namespace

void print_roofs(std::span<const CaseName> cases, ThreadPool& pool, const std::string& python) {
  const double mkl = mkl_rate(python, pool.size());
  fmt::print(
      "\n### Fraction of the sgemm rate over a whole training step\n\n"
      "GFLOP are of the matrix products and attentions that are executed, after repeats are "
      "removed. The rate of sgemm is the best on this machine: ours, measured between the steps, "
      "or "
      "MKL's through PyTorch, {:.0f} GFLOP/s (0: not here).\n\n"
      "| case | GFLOP a step | ms a step | GFLOP/s | sgemm GFLOP/s | fraction | where the "
      "time of both threads goes |\n|---|---|---|---|---|---|---|\n",
      mkl);
  for (const CaseName& name : cases) {
    const Roof roof = measure_roof(name, pool, mkl);
    const double rate = roof.gflop / roof.seconds;
    const double had = roof.seconds * static_cast<double>(pool.size() * roof.steps);
    std::string where;
    double taken = 0.0;
    for (const profile::Entry& entry : roof.entries) {
      taken += entry.seconds;
      if (entry.seconds / had < 0.02) continue;
      where += fmt::format("{} {:.0f} %, ", entry.name, 100.0 * entry.seconds / had);
    }
    fmt::print(
        "| {} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.0f} % | {}waiting and the rest {:.0f} % |\n",
        roof.name, roof.gflop, roof.seconds * 1e3, rate, roof.sgemm, 100.0 * rate / roof.sgemm,
        where, 100.0 * std::max(0.0, 1.0 - taken / had));
  }
}

void print_scaling(ThreadPool& pool) {
  fmt::print(
      "\n### How the cost grows\n\n"
      "Electricity's recipe with one size changed; of a training step, and for rows of an "
      "epoch.\n\n| what | size | ms | ms a unit |\n|---|---|---|---|\n");
  const auto line = [&](const char* what, std::size_t size, double seconds) {
    fmt::print("| {} | {} | {:.2f} | {:.4f} |\n", what, size, seconds * 1e3,
               seconds * 1e3 / static_cast<double>(size));
  };
  const auto step_seconds = [&](const CaseName& name) {
    PeerCase ours(name, pool);
    ours.step();
    ours.step();
    std::vector<double> samples;
    for (int i = 0; i < 9; ++i) samples.push_back(seconds_of([&] { ours.step(); }));
    return middle(samples);
  };
  const CaseName base{.dataset = "Electricity", .horizon = 96, .rows = 3000, .channels = 32};
  for (const std::int64_t channels : {10, 50, 200, 500, 1000, 2000}) {
    CaseName name = base;
    name.channels = channels;
    line("channels", static_cast<std::size_t>(channels), step_seconds(name));
  }
  for (const std::int64_t batch : {32, 64, 128, 256, 512}) {
    CaseName name = base;
    name.batch = batch;
    line("batch", static_cast<std::size_t>(batch), step_seconds(name));
  }
  for (const std::int64_t lookback : {96, 192, 384, 768}) {
    CaseName name = base;
    name.lookback = lookback;
    line("look-back", static_cast<std::size_t>(lookback), step_seconds(name));
  }
  for (const std::int64_t horizon : {96, 192, 336, 720}) {
    CaseName name = base;
    name.horizon = horizon;
    name.rows = 8000;
    line("horizon", static_cast<std::size_t>(horizon), step_seconds(name));
  }
  for (const std::int64_t rows : {5000, 10000, 20000, 40000}) {
    CaseName name = base;
    name.rows = rows;
    PeerCase ours(name, pool);
    ours.epoch();
    line("rows", static_cast<std::size_t>(rows), seconds_of([&] { ours.epoch(); }));
  }
}

}  // namespace pulsecast::bench
