#include "pulsecast/evaluate/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/testing.h"
#include "pulsecast/metrics/naive.h"

namespace pulsecast {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Hourly rows of three channels of unlike size: a day's wave with noise, a random walk, a line.
Series made_series(std::size_t rows) {
  Series series;
  series.source = "load.csv";
  series.channels = {
      {"wave", Role::kTarget, {}}, {"walk", Role::kTarget, {}}, {"line", Role::kTarget, {}}};
  double walk = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto t = static_cast<double>(row);
    series.stamps.push_back({static_cast<std::int64_t>(row) * 3600000});
    walk += random::normal({.seed = 2}, row);
    series.channels[0].values.push_back(50.0 * std::sin(2.0 * std::numbers::pi * t / 24.0) +
                                        5.0 * random::normal({.seed = 1}, row));
    series.channels[1].values.push_back(walk);
    series.channels[2].values.push_back(1000.0 + 0.01 * t);
  }
  return series;
}

// A series cut for evaluation: T = 12 rows of history, H = 5 of future.
struct Bench {
  static constexpr std::size_t T = 12;
  static constexpr std::size_t H = 5;

  explicit Bench(Series given, RowRange train_rows = {0, 300}, RowRange test_rows = {360, 500})
      : series(std::move(given)),
        train(train_rows),
        scaler(Scaler::fit(series, train)),
        scaled(series, scaler, CalendarPlan{}),
        windows(scaled, T, H, test_rows, History::kReaches) {}

  Evaluation run(const Predictor& predict, std::size_t thread_count = 1,
                 std::size_t batch = 0) const {
    ThreadPool threads(thread_count);
    const std::vector<Season> seasons = seasons_of(series.step);
    return evaluate(scaled, windows, scaler, train, seasons, predict, threads,
                    {.batch = batch, .watch = {}});
  }

  Series series;
  RowRange train;
  Scaler scaler;
  ScaledSeries scaled;
  Windows windows;
};

// Something that depends on history and step, so that a mix-up of samples, channels or steps shows.
void halved(const Batch& batch, Forecast& forecast) {
  const std::size_t T = batch.shape.lookback;
  const std::size_t H = batch.shape.horizon;
  for (std::size_t row = 0; row < batch.shape.samples * batch.shape.channels; ++row) {
    for (std::size_t h = 0; h < H; ++h) {
      forecast.values[row * H + h] = 0.5F * batch.history[row * T + T - 1 - h % 2];
    }
  }
}

// The second implementation: one window at a time, from the rows themselves, in original units.
// `forecast(c, origin, h)` answers in original units too.
template <typename MadeForecast>
void expect_brute_force(const Bench& bench, const Scored& scored, const MadeForecast& forecast) {
  SCOPED_TRACE(scored.name);
  const std::size_t C = bench.series.channels.size();
  const auto value = [&](std::size_t c, std::size_t row) {
    return bench.series.channels[c].values[row];
  };
  const auto is_there = [&](std::size_t c, std::size_t origin) {
    for (std::size_t row = origin - Bench::T; row < origin + Bench::H; ++row) {
      if (std::isnan(value(c, row))) return false;
    }
    return true;
  };
  std::vector<std::size_t> origins;
  for (std::size_t origin = 360; origin + Bench::H <= 500; ++origin) {
    bool has_one = false;
    for (std::size_t c = 0; c < C; ++c) has_one = has_one || is_there(c, origin);
    if (has_one) origins.push_back(origin);
  }
  ASSERT_EQ(origins.size(), bench.windows.size());
  const auto mean = [&](auto channels, auto steps, auto&& of) {
    double sum = 0.0;
    double count = 0.0;
    for (const std::size_t origin : origins) {
      for (const std::size_t c : channels) {
        if (!is_there(c, origin)) continue;
        for (const std::size_t h : steps) {
          sum += of(c, forecast(c, origin, h) - value(c, origin + h));
          count += 1.0;
        }
      }
    }
    return sum / count;
  };
  const auto expect_errors = [&](const Errors& scaled, const Errors& original,
                                 const std::vector<std::size_t>& channels,
                                 const std::vector<std::size_t>& steps) {
    const auto scale = [&](std::size_t c) { return bench.scaler.scales()[c]; };
    const auto square = [&](std::size_t, double e) { return e * e; };
    const auto absolute = [&](std::size_t, double e) { return std::abs(e); };
    const auto scaled_square = [&](std::size_t c, double e) { return e * e / scale(c) / scale(c); };
    const auto scaled_absolute = [&](std::size_t c, double e) { return std::abs(e) / scale(c); };
    const auto near = [](double ours, double theirs) {
      // Ours are of floats: what the drift forecast of a line is off by is their rounding.
      EXPECT_NEAR(ours, theirs, 1e-5 * theirs + 1e-6);
    };
    near(scaled.mse, mean(channels, steps, scaled_square));
    near(scaled.mae, mean(channels, steps, scaled_absolute));
    near(scaled.rmse, std::sqrt(mean(channels, steps, scaled_square)));
    near(original.mse, mean(channels, steps, square));
    near(original.mae, mean(channels, steps, absolute));
    near(original.rmse, std::sqrt(mean(channels, steps, square)));
  };
  const std::vector<std::size_t> all_channels = {0, 1, 2};
  const std::vector<std::size_t> all_steps = {0, 1, 2, 3, 4};
  expect_errors(scored.scaled.overall, scored.original.overall, all_channels, all_steps);
  ASSERT_EQ(scored.scaled.per_channel.size(), C);
  for (const std::size_t c : all_channels) {
    expect_errors(scored.scaled.per_channel[c], scored.original.per_channel[c], {c}, all_steps);
  }
  ASSERT_EQ(scored.scaled.per_step.size(), Bench::H);
  for (const std::size_t h : all_steps) {
    expect_errors(scored.scaled.per_step[h], scored.original.per_step[h], all_channels, {h});
  }
}

TEST(Evaluation, IsTheSlowOneOfTheSameRows) {
  const Bench bench(made_series(520));
  const Evaluation found = bench.run(halved);
  EXPECT_EQ(found.windows, 500u - 360 - 5 + 1);
  EXPECT_EQ(found.channels, 3u);
  EXPECT_EQ(found.horizon, 5u);
  const auto value = [&](std::size_t c, std::size_t row) {
    return bench.series.channels[c].values[row];
  };
  EXPECT_EQ(found.model.name, "model");
  expect_brute_force(bench, found.model, [&](std::size_t c, std::size_t origin, std::size_t h) {
    const double mean = bench.scaler.means()[c];
    return mean + 0.5 * (value(c, origin - 1 - h % 2) - mean);
  });
  ASSERT_EQ(found.baselines.size(), 4u);
  EXPECT_EQ(found.baselines[0].name, "naive");
  expect_brute_force(
      bench, found.baselines[0],
      [&](std::size_t c, std::size_t origin, std::size_t) { return value(c, origin - 1); });
  EXPECT_EQ(found.baselines[1].name, "seasonal naive (day)");
  EXPECT_EQ(found.baselines[1].period, 24u) << "longer than the look-back of 12";
  expect_brute_force(
      bench, found.baselines[1],
      [&](std::size_t c, std::size_t origin, std::size_t h) { return value(c, origin + h - 24); });
  EXPECT_EQ(found.baselines[2].name, "seasonal naive (week)");
  EXPECT_EQ(found.baselines[2].period, 168u);
  expect_brute_force(
      bench, found.baselines[2],
      [&](std::size_t c, std::size_t origin, std::size_t h) { return value(c, origin + h - 168); });
  EXPECT_EQ(found.baselines[3].name, "drift");
  expect_brute_force(bench, found.baselines[3],
                     [&](std::size_t c, std::size_t origin, std::size_t h) {
                       const double last = value(c, origin - 1);
                       const double slope = (last - value(c, origin - 12)) / 11.0;
                       return last + slope * static_cast<double>(h + 1);
                     });
}

// No window crosses a gap, but the day before a window may.
TEST(Evaluation, SeasonalNaiveReachesOverGaps) {
  Series series = made_series(520);
  for (const std::size_t row : {380, 381, 400}) series.channels[0].values[row] = kNaN;
  const Bench bench(std::move(series));
  ASSERT_FALSE(bench.windows.is_whole());
  const Evaluation found = bench.run(halved);
  expect_brute_force(bench, found.baselines[1],
                     [&](std::size_t c, std::size_t origin, std::size_t h) {
                       const auto& values = bench.series.channels[c].values;
                       const double day = values[origin + h - 24];
                       return std::isnan(day) ? values[origin + h - 48] : day;
                     });
}

TEST(Evaluation, MaseDividesByItsOwnRows) {
  const Bench bench(made_series(520));
  const Evaluation found = bench.run(halved);
  ASSERT_EQ(found.model.mase.size(), 3u);
  for (const MaseAtLag& mase : found.model.mase) {
    const auto mean_difference = [&](std::size_t c, std::size_t begin, std::size_t end) {
      double sum = 0.0;
      for (std::size_t row = begin + mase.lag; row < end; ++row) {
        sum += std::abs(static_cast<double>(bench.scaled.channel(c)[row]) -
                        static_cast<double>(bench.scaled.channel(c)[row - mase.lag]));
      }
      return sum / static_cast<double>(end - begin - mase.lag);
    };
    if (mase.lag == 168) {
      EXPECT_TRUE(std::isnan(mase.paper.overall)) << "140 rows forecast hold no two a week apart";
    } else {
      double pooled = 0.0;
      for (std::size_t c = 0; c < 3; ++c) pooled += mean_difference(c, 360, 500) / 3.0;
      EXPECT_NEAR(mase.paper.overall, found.model.scaled.overall.mae / pooled, 1e-9);
    }
    double usual = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double own = found.model.scaled.per_channel[c].mae / mean_difference(c, 0, 300);
      EXPECT_NEAR(mase.usual.per_channel[c], own, 1e-9 * own);
      usual += own / 3.0;
    }
    EXPECT_NEAR(mase.usual.overall, usual, 1e-9 * usual);
  }
  EXPECT_EQ(found.model.mase[0].lag, 1u);
  EXPECT_EQ(found.model.mase[1].lag, 24u);
  EXPECT_EQ(found.model.mase[2].lag, 168u);
}

TEST(Evaluation, SeasonsThatDoNotFitHaveNoBaseline) {
  const Bench bench(made_series(520), {0, 100}, {100, 200});
  const Evaluation found = bench.run(halved);
  ASSERT_EQ(found.baselines.size(), 3u);
  EXPECT_EQ(found.baselines[1].name, "seasonal naive (day)");
  EXPECT_EQ(found.baselines[2].name, "drift");
}

void expect_same(const Scored& a, const Scored& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.scaled.overall.mse, b.scaled.overall.mse);
  EXPECT_EQ(a.original.overall.mae, b.original.overall.mae);
  EXPECT_EQ(a.scaled.per_step.back().mse, b.scaled.per_step.back().mse);
  EXPECT_EQ(a.mase[0].usual.overall, b.mase[0].usual.overall);
}

TEST(Evaluation, HasTheSameBitsOnAnyNumberOfThreadsAndBatches) {
  const Bench bench(made_series(520));
  const Evaluation one = bench.run(halved);
  for (const std::size_t batch : {1, 7, 136, 4096}) {
    const Evaluation other = bench.run(halved, 3, batch);
    expect_same(one.model, other.model);
    for (std::size_t i = 0; i < one.baselines.size(); ++i) {
      expect_same(one.baselines[i], other.baselines[i]);
    }
  }
}

TEST(Evaluation, ShowsThePredictorEveryWindowOnceAndInOrder) {
  const Bench bench(made_series(520));
  std::vector<float> first_targets;
  std::vector<std::size_t> sizes;
  bench.run(
      [&](const Batch& batch, Forecast& forecast) {
        sizes.push_back(batch.shape.samples);
        EXPECT_EQ(forecast.samples, batch.shape.samples);
        EXPECT_EQ(forecast.values.size(), batch.shape.samples * 3 * 5);
        for (std::size_t b = 0; b < batch.shape.samples; ++b) {
          first_targets.push_back(batch.target[b * 3 * 5]);
        }
      },
      1, 50);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{50, 50, 36}));
  ASSERT_EQ(first_targets.size(), 136u);
  for (std::size_t i = 0; i < 136; ++i) {
    EXPECT_EQ(first_targets[i], bench.scaled.channel(0)[360 + i]);
  }
}

TEST(Evaluation, WhatThePredictorLeavesOutIsNotScoredAsGood) {
  const Bench bench(made_series(520));
  const Evaluation found = bench.run(
      [](const Batch& batch, Forecast& forecast) {
        std::ranges::copy(batch.target.first(5), forecast.values.begin());
      },
      1, 1);
  EXPECT_EQ(found.model.scaled.per_channel[0].mse, 0.0);
  EXPECT_TRUE(std::isnan(found.model.scaled.per_channel[1].mse));
  EXPECT_TRUE(std::isnan(found.model.scaled.overall.mse));
}

TEST(Evaluation, RefusesToScoreNothing) {
  const Bench bench(made_series(520), {0, 300}, {360, 364});
  try {
    bench.run(halved);
    FAIL() << "there is no window of 5 steps in 4 rows";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
}

struct Expected {
  const char* name;
  double mse, mae, original_mse, original_mae;
  double paper_mase_1, usual_mase_1, paper_mase_168, usual_mase_168;
  double first_step_mse, last_step_mse, last_channel_mse;
};

// Computed apart from this code, with numpy: all windows as one array, scaled by the training rows.
constexpr Expected kEtth1[] = {
    {"naive", 1.294370595, 0.713181355, 31.215981955, 2.723380683, 2.791285526, 3.068397980,
     1.385819845, 1.328405431, 0.177662840, 0.603615026, 0.069264165},
    {"seasonal naive (day)", 0.512225109, 0.433302712, 10.382512818, 1.556932556, 1.695882232,
     1.981438456, 0.841973073, 0.803281055, 0.416663057, 0.603615026, 0.071453435},
    {"seasonal naive (week)", 0.656988930, 0.508553586, 14.171352678, 1.871739744, 1.990402939,
     2.350010946, 0.988196967, 0.945829103, 0.648081739, 0.676792148, 0.112875043},
    {"drift", 1.852765646, 0.862310005, 42.630963984, 3.243396802, 3.374952836, 3.738687826,
     1.675599494, 1.601689614, 0.180482608, 1.849942485, 0.124895593},
};

TEST(Evaluation, BaselinesOnEtth1AreThoseOfNumpy) {
  const std::string path = testing::benchmark_file("ETTh1.csv.gz");
  if (path.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
  ThreadPool threads;
  Table table = read_table(path, DataSettings{}, threads);
  Series series;
  series.source = table.source;
  series.stamps.assign(table.stamps.begin(), table.stamps.end());
  for (const Column& column : table.columns) {
    series.channels.push_back(
        {column.name, Role::kTarget, {column.values.begin(), column.values.end()}});
  }
  const Split split = parse_split("ETTh1", series);
  const Scaler scaler = Scaler::fit(series, split.train);
  const ScaledSeries scaled(series, scaler, CalendarPlan{});
  const Windows windows(scaled, 96, 96, split.test, History::kReaches);
  const auto last_value = [](const Batch& batch, Forecast& forecast) {
    for (std::size_t row = 0; row < batch.shape.samples * batch.shape.channels; ++row) {
      naive_forecast(batch.history.subspan(row * 96, 96), forecast.values.subspan(row * 96, 96));
    }
  };
  const Evaluation found =
      evaluate(scaled, windows, scaler, split.train, seasons_of(series.step), last_value, threads);
  EXPECT_EQ(found.windows, 2785u);
  ASSERT_EQ(found.baselines.size(), std::size(kEtth1));
  for (std::size_t i = 0; i < std::size(kEtth1); ++i) {
    const Expected& expected = kEtth1[i];
    const Scored& scored = found.baselines[i];
    SCOPED_TRACE(expected.name);
    EXPECT_EQ(scored.name, expected.name);
    EXPECT_NEAR(scored.scaled.overall.mse, expected.mse, 1e-7);
    EXPECT_NEAR(scored.scaled.overall.mae, expected.mae, 1e-7);
    EXPECT_NEAR(scored.original.overall.mse, expected.original_mse, 1e-6);
    EXPECT_NEAR(scored.original.overall.mae, expected.original_mae, 1e-6);
    EXPECT_NEAR(scored.mase[0].paper.overall, expected.paper_mase_1, 1e-6);
    EXPECT_NEAR(scored.mase[0].usual.overall, expected.usual_mase_1, 1e-6);
    EXPECT_NEAR(scored.mase[2].paper.overall, expected.paper_mase_168, 1e-6);
    EXPECT_NEAR(scored.mase[2].usual.overall, expected.usual_mase_168, 1e-6);
    EXPECT_NEAR(scored.scaled.per_step.front().mse, expected.first_step_mse, 1e-7);
    EXPECT_NEAR(scored.scaled.per_step.back().mse, expected.last_step_mse, 1e-7);
    EXPECT_NEAR(scored.scaled.per_channel.back().mse, expected.last_channel_mse, 1e-7);
  }
  EXPECT_EQ(found.model.scaled.overall.mse, found.baselines[0].scaled.overall.mse)
      << "the naive forecast as a model";
}

}  // namespace
}  // namespace pulsecast
