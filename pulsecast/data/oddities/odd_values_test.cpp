#include "pulsecast/data/oddities/odd_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/random.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/testing.h"

namespace pulsecast {
namespace {

using OddKind = OddRun::Kind;

// Uniform in 0 .. 1, the same for the same row.
double row_noise(std::size_t row, std::uint64_t purpose = 0) {
  return random::uniform(random::Stream{.seed = 7 + purpose}, row);
}

double daily_load(std::size_t row) {
  return 50 + 20 * std::sin(2 * M_PI * static_cast<double>(row) / 24) + 3 * row_noise(row);
}

std::vector<double> made_of(std::size_t rows, const std::function<double(std::size_t)>& value) {
  std::vector<double> values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(value(row));
  return values;
}

std::vector<double> with_odd(std::vector<double> values, double odd,
                             std::vector<std::size_t> rows) {
  for (const std::size_t row : rows) values[row] = odd;
  return values;
}

std::size_t count_of(const OddValues& odd, OddKind kind) {
  std::size_t count = 0;
  for (const OddRun& run : odd.runs) count += run.kind == kind ? run.count : 0;
  return count;
}

TEST(OddValues, CodesForNoValueAreFound) {
  const std::vector<double> plain = made_of(1000, daily_load);
  EXPECT_TRUE(find_odd_values(plain).runs.empty());
  for (const double code : {-1.0, -9.0, -99.0, -999.0, -9999.0, 9999.0, 99999.0}) {
    SCOPED_TRACE(code);
    const OddValues odd = find_odd_values(with_odd(plain, code, {5, 300, 301, 302, 999}));
    EXPECT_EQ(count_of(odd, OddKind::kCode), 5U);
    ASSERT_EQ(odd.runs.size(), 3U);
    EXPECT_EQ(odd.runs[1].begin, 300U);
    EXPECT_EQ(odd.runs[1].end, 303U);
    EXPECT_EQ(odd.low, *std::ranges::min_element(plain));
    EXPECT_EQ(odd.high, *std::ranges::max_element(plain));
  }
  const OddValues both = find_odd_values(with_odd(with_odd(plain, -999, {5, 6}), 9999, {80}));
  EXPECT_EQ(count_of(both, OddKind::kCode), 3U);
}

TEST(OddValues, ASlippedPointIsFarBeyondTheOthers) {
  const std::vector<double> plain = made_of(1000, daily_load);
  for (const double value : {6123.0, 1e6, -70000.0}) {
    const OddValues odd = find_odd_values(with_odd(plain, value, {400}));
    ASSERT_EQ(odd.runs.size(), 1U) << value;
    EXPECT_EQ(odd.runs[0].kind, OddKind::kFar) << value;
    EXPECT_EQ(odd.runs[0].value, value);
  }
}

// What people would be angry to lose.
TEST(OddValues, RealPeaksAreNotOdd) {
  const auto expect_none = [](const char* what, const std::vector<double>& values) {
    const OddValues odd = find_odd_values(values);
    EXPECT_TRUE(odd.runs.empty()) << what << ": " << odd.runs.front().value << " at row "
                                  << odd.runs.front().begin;
    EXPECT_FALSE(find_unit_change(values)) << what;
  };
  const auto heavy = [](double exponent) {
    return made_of(2000,
                   [=](std::size_t row) { return std::pow(1 - row_noise(row), -1 / exponent); });
  };
  expect_none("heavy tails", heavy(3));
  expect_none("very heavy tails", heavy(1.5));
  expect_none("lognormal", made_of(2000, [](std::size_t row) {
                const double u =
                    row_noise(row) + row_noise(row, 1) + row_noise(row, 2) + row_noise(row, 3) - 2;
                return std::exp(3 * u);
              }));
  expect_none("a day of sales fifteen times the usual",
              with_odd(made_of(730, [](std::size_t row) { return 100 + 30 * row_noise(row); }),
                       1500, {329}));
  expect_none("rain", made_of(2000, [](std::size_t row) {
                return row_noise(row) < 0.7 ? 0.0
                                            : std::round(-80 * std::log(row_noise(row, 1))) / 10;
              }));
  expect_none(
      "a cloudburst in dry months",
      with_odd(made_of(300, [](std::size_t row) { return row % 9 == 0 ? row_noise(row) : 0.0; }),
               90, {77}));
  expect_none("closed on holidays", with_odd(made_of(730, daily_load), 0, {0, 358, 359, 724}));
  expect_none("frost", made_of(1000, [](std::size_t row) {
                return std::round(8 - 9 * std::cos(static_cast<double>(row) / 40) + row_noise(row));
              }));
  expect_none("sun", made_of(1000, [](std::size_t row) {
                return std::max(0.0,
                                900 * std::sin(2 * M_PI * double(row) / 24) * row_noise(row / 24));
              }));
  expect_none("a price that stays for weeks", made_of(600, [](std::size_t row) {
                return 10 + std::floor(5 * row_noise(row / 21));
              }));
  expect_none("small counts",
              made_of(600, [](std::size_t row) { return std::floor(4 * row_noise(row)) - 1; }));
  expect_none("growth", made_of(900, [](std::size_t row) {
                return std::exp(static_cast<double>(row) / 100) * (1 + 0.1 * row_noise(row));
              }));
  expect_none("an outbreak", made_of(900, [](std::size_t row) {
                const double days = (static_cast<double>(row) - 600) / 30;
                return 5 + row_noise(row) + 5000 * std::exp(-days * days);
              }));
  expect_none("a launch", made_of(900, [](std::size_t row) {
                return (row < 400 ? 10 : 75) * (1 + 0.1 * row_noise(row));
              }));
  expect_none("switched on and off ten times", made_of(900, [](std::size_t row) {
                return (row / 90 % 2 == 0 ? 1 : 100) * (1 + 0.1 * row_noise(row));
              }));
}

TEST(OddValues, AStuckSensorIsFound) {
  std::vector<double> values = made_of(1000, daily_load);
  for (std::size_t row = 500; row < 540; ++row) values[row] = 55.5;
  values[510] = kMissing;
  const OddValues odd = find_odd_values(values);
  ASSERT_EQ(odd.runs.size(), 1U);
  EXPECT_EQ(odd.runs[0].kind, OddKind::kStuck);
  EXPECT_EQ(odd.runs[0].begin, 500U);
  EXPECT_EQ(odd.runs[0].end, 540U);
  EXPECT_EQ(odd.runs[0].count, 39U);
  // Zero is a measurement: nothing was sold.
  for (std::size_t row = 500; row < 540; ++row) values[row] = 0;
  EXPECT_TRUE(find_odd_values(values).runs.empty());
}

TEST(OddValues, AChangeOfTheUnitIsFound) {
  const auto at = [](double factor, std::size_t begin, std::size_t end) {
    return made_of(1000, [=](std::size_t row) {
      return daily_load(row) * (row >= begin && row < end ? factor : 1.0);
    });
  };
  const std::optional<UnitChange> later = find_unit_change(at(1000, 800, 1000));
  ASSERT_TRUE(later);
  EXPECT_EQ(later->begin, 800U);
  EXPECT_EQ(later->end, 1000U);
  EXPECT_EQ(later->factor, 1000);
  const std::optional<UnitChange> between = find_unit_change(at(0.01, 300, 400));
  ASSERT_TRUE(between);
  EXPECT_EQ(between->begin, 300U);
  EXPECT_EQ(between->end, 400U);
  EXPECT_DOUBLE_EQ(between->factor, 0.01);
  EXPECT_FALSE(find_unit_change(at(1, 0, 0)));
  EXPECT_FALSE(find_unit_change(at(7, 500, 1000))) << "no two units are that far apart";
}

TEST(OddValues, FewValuesSayNothing) {
  EXPECT_TRUE(find_odd_values(std::vector<double>{1, 2, 99999}).runs.empty());
  EXPECT_TRUE(find_odd_values({}).runs.empty());
  EXPECT_FALSE(find_unit_change({}));
  EXPECT_TRUE(find_odd_values(std::vector<double>(100, kMissing)).runs.empty());
}

// Of the files that people forecast: -9999 of a weather station, and nothing else.
TEST(OddValues, OfRealFilesOnlyTheCodesAreOdd) {
  ThreadPool threads(2);
  for (const char* name : {"ETTh1.csv.gz", "ETTh2.csv.gz", "ETTm1.csv.gz", "ETTm2.csv.gz",
                           "weather.csv.gz", "bike_sharing.csv.gz", "AQShunyi.csv.gz"}) {
    const std::string file = testing::benchmark_file(name);
    if (file.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
    const Table table = read_table(file, {}, threads);
    for (const Column& column : table.columns) {
      const OddValues odd = find_odd_values(column.values);
      for (const OddRun& run : odd.runs) {
        if (run.kind == OddKind::kStuck) continue;
        EXPECT_EQ(run.value, -9999) << name << ", " << column.name << ", row " << run.begin;
      }
      EXPECT_FALSE(find_unit_change(column.values)) << name << ", " << column.name;
    }
  }
}

}  // namespace
}  // namespace pulsecast
