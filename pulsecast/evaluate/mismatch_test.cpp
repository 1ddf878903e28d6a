#include "pulsecast/evaluate/mismatch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/testing.h"

namespace pulsecast {
namespace {

Series series_of(std::vector<std::vector<double>> channels) {
  Series series;
  series.source = "load.csv";
  for (std::size_t row = 0; row < channels.front().size(); ++row) {
    series.stamps.push_back({static_cast<std::int64_t>(row) * 3600000});
  }
  for (auto& values : channels) series.channels.push_back({"x", Role::kTarget, std::move(values)});
  return series;
}

// Rows as they come, as the recipes take them.
Series rows_of(const std::string& path) {
  ThreadPool threads(1);
  Table table = read_table(path, DataSettings{}, threads);
  Series series;
  series.source = table.source;
  series.stamps.assign(table.stamps.begin(), table.stamps.end());
  for (const Column& column : table.columns) {
    series.channels.push_back(
        {column.name, Role::kTarget, {column.values.begin(), column.values.end()}});
  }
  return series;
}

TEST(Mismatch, OfAPureCycleIsNone) {
  std::vector<double> wave(400);
  for (std::size_t t = 0; t < wave.size(); ++t) {
    wave[t] = std::sin(2.0 * std::numbers::pi * static_cast<double>(t) / 24.0);
  }
  ThreadPool threads(1);
  const Mismatch found = measure_mismatch(series_of({wave}), {0, 400}, 48, 48, threads);
  EXPECT_EQ(found.windows, 400u - 96 + 1);
  EXPECT_EQ(found.channels, 1u);
  EXPECT_NEAR(found.deviation_shift, 0.0, 1e-6);
  EXPECT_NEAR(found.spectral, 0.0, 1e-5);
}

// One window, worked by hand: 0 0 0 0 | 2 2 2 0 has mean -0.75, -0.75 and 0.75 after scaling.
TEST(Mismatch, IsTheFormulaOnOneWindow) {
  ThreadPool threads(1);
  const Mismatch found =
      measure_mismatch(series_of({{1, 0, 1, 0, 2, 2, 2, 0}}), {0, 8}, 4, 4, threads);
  EXPECT_EQ(found.windows, 1u);
  // mean 1, deviation sqrt(6/8): history mean -0.5/s, future 0.5/s; deviations 0.5/s, sqrt(3)/2/s.
  const double history_deviation = 0.5;
  const double future_deviation = std::sqrt(3.0) / 2.0;
  EXPECT_NEAR(found.mean_shift, 1.0, 1e-6);
  EXPECT_NEAR(found.deviation_shift,
              (future_deviation - history_deviation) / (future_deviation + history_deviation),
              1e-6);
  // Amplitudes of 0.5 -0.5 0.5 -0.5: 0 0 2; of 0.5 0.5 0.5 -1.5: 0 2 2. Scaled: 0 0 1, 0 .5 .5.
  EXPECT_NEAR(found.spectral, 0.5, 1e-6);
}

TEST(Mismatch, OfConstantsIsZeroAndNotNaN) {
  ThreadPool threads(1);
  const Mismatch found =
      measure_mismatch(series_of({std::vector<double>(50, 3.0)}), {0, 50}, 8, 8, threads);
  EXPECT_EQ(found.mean_shift, 0.0);
  EXPECT_EQ(found.deviation_shift, 0.0);
  EXPECT_EQ(found.spectral, 0.0);
}

TEST(Mismatch, IsTheSameOnAnyNumberOfThreads) {
  std::vector<double> values(3000);
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = random::normal({.seed = 5}, t);
  const Series series = series_of({values});
  ThreadPool one(1);
  ThreadPool three(3);
  const Mismatch a = measure_mismatch(series, {0, 3000}, 96, 31, one);
  const Mismatch b = measure_mismatch(series, {0, 3000}, 96, 31, three);
  EXPECT_EQ(a.mean_shift, b.mean_shift);
  EXPECT_EQ(a.deviation_shift, b.deviation_shift);
  EXPECT_EQ(a.spectral, b.spectral);
  EXPECT_GT(a.spectral, 0.1);
}

TEST(Mismatch, RefusesRowsThatHoldNoWindow) {
  ThreadPool threads(1);
  const Series series = series_of({{1, 2, 3, 4, 5}});
  EXPECT_THROW(measure_mismatch(series, {0, 5}, 4, 2, threads), Error);
}

struct Cell {
  const char* dataset;
  std::size_t horizon;
  double mean_shift;
  double deviation_shift;
  double spectral;
};

// The paper's table of history-future mismatch at T = 96: all cells whose files are at hand.
constexpr Cell kPaper[] = {
    {"ETTh1", 96, 0.332, 0.114, 0.267},    {"ETTh2", 96, 0.314, 0.163, 0.276},
    {"ETTm1", 96, 0.409, 0.181, 0.260},    {"ETTm2", 96, 0.329, 0.151, 0.257},
    {"Weather", 96, 0.408, 0.261, 0.234},  {"ETTh1", 192, 0.339, 0.118, 0.349},
    {"ETTh2", 192, 0.326, 0.187, 0.337},   {"ETTm1", 192, 0.398, 0.168, 0.323},
    {"ETTm2", 192, 0.354, 0.151, 0.338},   {"Weather", 192, 0.421, 0.267, 0.245},
    {"ETTh1", 336, 0.357, 0.125, 0.386},   {"ETTh2", 336, 0.349, 0.217, 0.371},
    {"ETTm1", 336, 0.418, 0.167, 0.328},   {"ETTm2", 336, 0.380, 0.161, 0.350},
    {"Weather", 336, 0.438, 0.297, 0.304}, {"ETTh1", 720, 0.379, 0.144, 0.389},
    {"ETTh2", 720, 0.405, 0.255, 0.371},   {"ETTm1", 720, 0.471, 0.186, 0.359},
    {"ETTm2", 720, 0.434, 0.192, 0.364},   {"Weather", 720, 0.452, 0.348, 0.351},
};

// Under a sanitizer the whole table takes minutes, and the shortest horizon runs the same code.
#ifdef PULSECAST_SANITIZED
constexpr std::size_t kLongestHorizon = 96;
#else
constexpr std::size_t kLongestHorizon = 720;
#endif

TEST(Mismatch, ReproducesThePapersTable) {
  ThreadPool threads;
  std::map<std::string, Series> files;
  for (const Cell& cell : kPaper) {
    if (cell.horizon > kLongestHorizon) continue;
    const Dataset& dataset = *find_dataset(cell.dataset);
    if (!files.contains(cell.dataset)) {
      const std::string path = testing::benchmark_file(std::string(dataset.file) + ".gz");
      if (path.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
      files[cell.dataset] = rows_of(path);
    }
    const Series& series = files[cell.dataset];
    // The authors cut ETTm with the hourly split: its first 8640 rows.
    const bool is_ettm = std::string_view(cell.dataset).starts_with("ETTm");
    const RowRange rows =
        is_ettm ? RowRange{0, 8640} : protocol_split(dataset, series.rows()).train;
    const Mismatch found = measure_mismatch(series, rows, 96, cell.horizon, threads);
    const std::string name = std::string(cell.dataset) + " " + std::to_string(cell.horizon);
    EXPECT_NEAR(found.mean_shift, cell.mean_shift, 0.001) << name;
    EXPECT_NEAR(found.deviation_shift, cell.deviation_shift, 0.001) << name;
    EXPECT_NEAR(found.spectral, cell.spectral, 0.001) << name;
  }
}

}  // namespace
}  // namespace pulsecast
