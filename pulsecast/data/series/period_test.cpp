#include "pulsecast/data/series/period.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/random.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/series/autocorrelation.h"
#include "pulsecast/data/testing.h"

namespace pulsecast {
namespace {

using Values = std::vector<double>;

Values noise(std::uint64_t seed, std::size_t rows) {
  Values values(rows);
  for (std::size_t t = 0; t < rows; ++t) values[t] = random::normal({.seed = seed}, t);
  return values;
}

// x[t] = persistence x[t-1] + noise.
Values coloured(std::uint64_t seed, std::size_t rows, double persistence) {
  Values values = noise(seed, rows);
  for (std::size_t t = 1; t < rows; ++t) values[t] += persistence * values[t - 1];
  return values;
}

Values sine(std::size_t rows, double period, double noise_scale, std::uint64_t seed = 1) {
  Values values = noise(seed, rows);
  for (std::size_t t = 0; t < rows; ++t) {
    values[t] = values[t] * noise_scale +
                std::sin(2.0 * std::numbers::pi * static_cast<double>(t) / period);
  }
  return values;
}

PeriodFinding find(const std::vector<Values>& channels, const char* step = "1h") {
  const std::vector<std::span<const double>> views(channels.begin(), channels.end());
  return find_period(views, Step::parse(step));
}

// 0 for none.
std::size_t period_of(const std::vector<Values>& channels, const char* step = "1h") {
  const PeriodFinding finding = find(channels, step);
  return finding.period ? finding.period->lag : 0;
}

// The definition, pair by pair.
Values direct_autocorrelation(Values x, std::size_t lags) {
  double count = 0, sum_t = 0, sum_x = 0, sum_tt = 0, sum_tx = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    if (std::isnan(x[t])) continue;
    const auto time = static_cast<double>(t);
    count += 1;
    sum_t += time;
    sum_x += x[t];
    sum_tt += time * time;
    sum_tx += time * x[t];
  }
  const double slope = (count * sum_tx - sum_t * sum_x) / (count * sum_tt - sum_t * sum_t);
  const double offset = (sum_x - slope * sum_t) / count;
  for (std::size_t t = 0; t < x.size(); ++t) x[t] -= offset + slope * static_cast<double>(t);
  Values r(lags);
  for (std::size_t k = 0; k < lags; ++k) {
    double sum = 0, pairs = 0;
    for (std::size_t t = 0; t + k < x.size(); ++t) {
      if (std::isnan(x[t]) || std::isnan(x[t + k])) continue;
      sum += x[t] * x[t + k];
      pairs += 1;
    }
    r[k] = sum / pairs;
  }
  for (std::size_t k = lags; k-- > 0;) r[k] /= r[0];
  return r;
}

TEST(Autocorrelation, IsTheMeanOfTheDefinitionOverChannels) {
  const std::size_t rows = 500, lags = 375;
  Values smooth = coloured(1, rows, 0.8);
  for (std::size_t t = 0; t < rows; ++t)
    smooth[t] = 1e6 + 50.0 * static_cast<double>(t) + smooth[t];
  Values gappy = sine(rows, 31.0, 0.5, 2);
  for (std::size_t t = 100; t < 140; ++t) gappy[t] = kMissing;
  const Values constant(rows, 7.0);
  const std::vector<std::span<const double>> channels = {smooth, gappy, constant};
  const Values found = mean_autocorrelation(channels, lags);
  const Values first = direct_autocorrelation(smooth, lags);
  const Values second = direct_autocorrelation(gappy, lags);
  ASSERT_EQ(found.size(), lags);
  for (std::size_t k = 0; k < lags; ++k) {
    EXPECT_NEAR(found[k], 0.5 * (first[k] + second[k]), 2e-5) << "lag " << k;
  }
}

TEST(Autocorrelation, OfConstantsIsNone) {
  const Values constant(100, 0.1);
  Values line(100);
  for (std::size_t t = 0; t < 100; ++t) line[t] = 0.1 * static_cast<double>(t);
  const Values empty(100, kMissing);
  EXPECT_TRUE(mean_autocorrelation(std::vector<std::span<const double>>{constant, line, empty}, 50)
                  .empty());
}

TEST(Period, FindsACycleInNoise) {
  for (const double scale : {0.1, 0.5, 1.0}) {
    EXPECT_EQ(period_of({sine(5000, 24.0, scale)}), 24u) << scale;
    EXPECT_EQ(period_of({sine(300, 24.0, scale)}), 24u) << scale;
  }
  EXPECT_EQ(period_of({sine(1000, 37.0, 0.3)}, "1s"), 37u) << "no multiple of the calendar";
}

TEST(Period, FindsAWeekOfDays) {
  Values load = sine(5000, 24.0, 0.3);
  for (std::size_t t = 0; t < load.size(); ++t) load[t] += (t / 24) % 7 < 5 ? 1.5 : 0.0;
  const PeriodFinding finding = find({load});
  ASSERT_TRUE(finding.period);
  EXPECT_EQ(finding.period->lag, 168u);
  EXPECT_TRUE(std::ranges::any_of(finding.candidates,
                                  [](const PeriodCandidate& c) { return c.lag == 24; }));
  for (std::size_t i = 1; i < finding.candidates.size(); ++i) {
    EXPECT_GE(finding.candidates[i - 1].strength, finding.candidates[i].strength);
  }
}

TEST(Period, PulsesTrendsAndGapsDoNotHideIt) {
  Values pulses = noise(3, 2000);
  for (std::size_t t = 0; t < pulses.size(); ++t) {
    pulses[t] = 0.3 * pulses[t] + (t % 24 == 8 ? 2.0 : 0.0) + 0.01 * static_cast<double>(t);
  }
  EXPECT_EQ(period_of({pulses}), 24u);
  for (std::size_t t = 500; t < 1100; ++t) pulses[t] = kMissing;
  EXPECT_EQ(period_of({pulses}), 24u);
}

TEST(Period, ALargeLevelDoesNotHideIt) {
  Values small = sine(2000, 24.0, 0.2);
  for (double& value : small) value = 1e9 + 0.03 * value;
  EXPECT_EQ(period_of({small}), 24u);
  for (double& value : small) value = -1e12 + 1e3 * (value - 1e9);
  EXPECT_EQ(period_of({small}), 24u);
  // One unit in the last place, up and down, is the rounding of a constant.
  Values constant(2000, 1e9);
  for (std::size_t t = 0; t < constant.size(); t += 24) constant[t] = std::nextafter(1e9, 2e9);
  EXPECT_EQ(period_of({constant}), 0u);
}

TEST(Period, OfWhiteNoiseIsNone) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    EXPECT_EQ(period_of({noise(100 + seed, 400)}), 0u) << seed;
    EXPECT_EQ(period_of({noise(200 + seed, 5000), noise(300 + seed, 5000)}), 0u) << seed;
  }
}

// Persistence is no cycle. A chance crest may pass now and then, a rule of them may not.
TEST(Period, OfPersistentNoiseIsNoneAsARule) {
  for (const double persistence : {0.5, 0.9, 1.0}) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      found += period_of({coloured(400 + seed, 3000, persistence)}) != 0 ? 1 : 0;
    }
    EXPECT_LE(found, 4) << persistence;
  }
}

TEST(Period, SnapsToTheCalendarWithinThreePercent) {
  EXPECT_EQ(period_of({sine(4000, 142.0, 0.1)}, "10min"), 144u) << "a day, 1.4 % away";
  EXPECT_EQ(period_of({sine(4000, 138.0, 0.1)}, "10min"), 138u) << "4.2 % away";
  EXPECT_EQ(period_of({sine(3000, 365.0, 0.1)}, "1d"), 365u);
  EXPECT_EQ(period_of({sine(400, 12.0, 0.1)}, "1mo"), 12u);
  EXPECT_EQ(period_of({sine(400, 7.0, 0.1)}, "1d"), 7u);
}

TEST(Period, NeedsFourCyclesAndSomeRows) {
  EXPECT_EQ(period_of({sine(80, 24.0, 0.0)}), 0u);
  EXPECT_EQ(period_of({sine(15, 3.0, 0.0)}), 0u);
  EXPECT_EQ(period_of({}), 0u);
  EXPECT_EQ(period_of({Values(100, kMissing)}), 0u);
}

struct Benchmark {
  const char* file;
  const char* step;
  std::size_t period;
};

class BenchmarkPeriod : public ::testing::TestWithParam<Benchmark> {};

TEST_P(BenchmarkPeriod, IsThePapers) {
  const std::string path = testing::benchmark_file(GetParam().file);
  if (path.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
  ThreadPool threads(1);
  const Table table = read_table(path, DataSettings{}, threads);
  std::vector<std::span<const double>> channels;
  for (const Column& column : table.columns) channels.emplace_back(column.values);
  const PeriodFinding finding = find_period(channels, Step::parse(GetParam().step));
  ASSERT_TRUE(finding.period);
  EXPECT_EQ(finding.period->lag, GetParam().period);
  EXPECT_GT(finding.period->strength, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Files, BenchmarkPeriod,
                         ::testing::Values(Benchmark{"ETTh1.csv.gz", "1h", 24},
                                           Benchmark{"ETTh2.csv.gz", "1h", 24},
                                           Benchmark{"ETTm1.csv.gz", "15min", 96},
                                           Benchmark{"ETTm2.csv.gz", "15min", 96},
                                           Benchmark{"weather.csv.gz", "10min", 144},
                                           Benchmark{"AQShunyi.csv.gz", "1h", 24}),
                         [](const auto& benchmark) {
                           const std::string file = benchmark.param.file;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace pulsecast
