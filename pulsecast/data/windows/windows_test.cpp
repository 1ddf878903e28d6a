#include "pulsecast/data/windows/windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/base/missing.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/testing/allocation_count.h"

namespace pulsecast {
namespace {

// Hourly rows from Friday 2016-07-01 00:00 on; the value of channel c at a row is 1000 c + row.
Series hourly(std::size_t rows, std::vector<Role> roles = {Role::kTarget, Role::kTarget}) {
  Series series;
  series.source = "load.csv";
  for (std::size_t row = 0; row < rows; ++row) {
    series.stamps.push_back({1467331200000 + static_cast<std::int64_t>(row) * 3600000});
  }
  for (std::size_t c = 0; c < roles.size(); ++c) {
    Channel channel{std::to_string(c), roles[c], {}};
    for (std::size_t row = 0; row < rows; ++row) {
      channel.values.push_back(1000.0 * static_cast<double>(c) + static_cast<double>(row));
    }
    series.channels.push_back(std::move(channel));
  }
  return series;
}

Scaler unscaled(const Series& series) {
  return {std::vector<double>(series.channels.size(), 0.0),
          std::vector<double>(series.channels.size(), 1.0)};
}

const CalendarPlan kHourPlan{{CalendarFeature::kHourOfDay}, 24, PhaseSource::kTimestamp};

std::vector<std::uint32_t> all_of(const Windows& windows) {
  std::vector<std::uint32_t> list(windows.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) list[i] = i;
  return list;
}

// METHOD's example: ETTh1, T = 96, H = 96.
TEST(Windows, CountsOfTheProtocol) {
  const Series series = hourly(17420);
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const Windows train(scaled, 96, 96, {0, 8640}, History::kInside);
  const Windows validation(scaled, 96, 96, {8640, 11520}, History::kReaches);
  const Windows test(scaled, 96, 96, {11520, 14400}, History::kReaches);
  EXPECT_EQ(train.size(), 8449u);
  EXPECT_EQ(validation.size(), 2785u);
  EXPECT_EQ(test.size(), 2785u);
  EXPECT_EQ(test.first_row(0) + 96, 11520u) << "the first target is the first row of the part";
  EXPECT_EQ(test.first_row(2784) + 96 + 96, 14400u);
}

TEST(Windows, OfSeveralRunsHaveTheirTargetsInOne) {
  const Series series = hourly(200);
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const std::vector<RowRange> runs = {{20, 60}, {80, 100}, {150, 153}};
  const Windows inside(scaled, 10, 5, runs, History::kInside);
  const Windows reaching(scaled, 10, 5, runs, History::kReaches);
  EXPECT_EQ(inside.size(), 26u + 16u) << "the third has no room for a future";
  EXPECT_EQ(reaching.size(), 36u + 16u);
  EXPECT_EQ(inside.first_row(0), 20u);
  EXPECT_EQ(inside.first_row(26), 70u) << "a history may lie before its run";
  EXPECT_EQ(reaching.first_row(0), 10u);
  for (const Windows* windows : {&inside, &reaching}) {
    for (std::size_t i = 0; i < windows->size(); ++i) {
      const std::size_t first = windows->first_row(i) + 10;
      EXPECT_TRUE(std::ranges::any_of(
          runs, [&](RowRange run) { return run.begin <= first && first + 5 <= run.end; }));
    }
  }
}

TEST(Windows, GathersChannelByChannel) {
  const Series series = hourly(40, {Role::kTarget, Role::kTarget, Role::kKnown, Role::kPast});
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const Windows windows(scaled, 5, 3, {0, 40}, History::kInside);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(4), arena);
  const std::vector<std::uint32_t> chosen = {7, 0, 31};
  windows.gather(chosen, batch);
  ASSERT_EQ(batch.shape.samples, 3u);
  for (std::size_t b = 0; b < chosen.size(); ++b) {
    const auto at = [&](std::size_t channel, std::size_t step) {
      return 1000.0f * static_cast<float>(channel) + static_cast<float>(chosen[b] + step);
    };
    for (std::size_t t = 0; t < 5; ++t) {
      EXPECT_EQ(batch.history[(b * 2 + 0) * 5 + t], at(0, t));
      EXPECT_EQ(batch.history[(b * 2 + 1) * 5 + t], at(1, t));
      EXPECT_EQ(batch.known_history[b * 5 + t], at(2, t));
      EXPECT_EQ(batch.past_history[b * 5 + t], at(3, t));
      EXPECT_EQ(batch.history_phase[b * 5 + t], static_cast<int>((chosen[b] + t) % 24));
    }
    for (std::size_t t = 0; t < 3; ++t) {
      EXPECT_EQ(batch.target[(b * 2 + 0) * 3 + t], at(0, 5 + t));
      EXPECT_EQ(batch.target[(b * 2 + 1) * 3 + t], at(1, 5 + t));
      EXPECT_EQ(batch.known_future[b * 3 + t], at(2, 5 + t));
      EXPECT_EQ(batch.future_phase[b * 3 + t], static_cast<int>((chosen[b] + 5 + t) % 24));
    }
  }
}

TEST(Windows, NoneCrossesAGap) {
  Series series = hourly(60, {Role::kTarget, Role::kTarget, Role::kPast});
  series.channels[0].values[20] = kMissing;
  series.channels[1].values[41] = kMissing;
  series.channels[2].values[50] = kMissing;
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const Windows windows(scaled, 6, 4, {0, 60}, History::kInside);
  std::set<std::size_t> expected;
  for (std::size_t row = 0; row + 10 <= 60; ++row) {
    const auto covers = [&](std::size_t gap, std::size_t length) {
      return row <= gap && gap < row + length;
    };
    const bool has_target = !covers(20, 10) || !covers(41, 10);
    if (has_target && !covers(50, 6)) expected.insert(row);
  }
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::size_t row = windows.first_row(i);
    found.insert(row);
    EXPECT_EQ(windows.has(i, 0), row > 20 || row + 10 <= 20);
    EXPECT_EQ(windows.has(i, 1), row > 41 || row + 10 <= 41);
  }
  EXPECT_EQ(found, expected);
  EXPECT_FALSE(windows.is_whole());
  // The last window has a gap of a past-only channel inside its future, which it never reads.
  EXPECT_TRUE(expected.contains(44));
}

// What is missing of a window is zero, and says so; what is there is as it is without a gap.
TEST(Windows, MissingChannelsAreMarkedAndZero) {
  Series series = hourly(30);
  series.channels[1].values[12] = kMissing;
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const Windows windows(scaled, 6, 4, {0, 30}, History::kInside);
  ASSERT_EQ(windows.size(), 21u);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(windows.size()), arena);
  windows.gather(all_of(windows), batch);
  ASSERT_EQ(batch.present.size(), 42u);
  for (std::size_t b = 0; b < windows.size(); ++b) {
    const bool is_there = b > 12 || b + 10 <= 12;
    EXPECT_EQ(batch.present[2 * b], 1);
    EXPECT_EQ(batch.present[2 * b + 1], is_there ? 1 : 0);
    EXPECT_EQ(batch.history[2 * b * 6], static_cast<float>(b));
    EXPECT_EQ(batch.history[(2 * b + 1) * 6], is_there ? 1000.0f + static_cast<float>(b) : 0.0f);
    EXPECT_EQ(batch.target[(2 * b + 1) * 4 + 3],
              is_there ? 1000.0f + static_cast<float>(b + 9) : 0.0f);
  }
}

TEST(Windows, EmptyPartsAreExplained) {
  const Series series = hourly(20);
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const RowRange rows{0, 20};
  const Windows windows(scaled, 15, 6, rows, History::kInside);
  EXPECT_EQ(windows.size(), 0u);
  try {
    require_windows(windows, series, rows, "training", 15, 6);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_STREQ(error.what(),
                 "load.csv: the training rows 1 to 20 hold no window: each needs 15 rows of "
                 "history and 6 of future without a gap in a target. Give more rows; a smaller "
                 "lookback or a smaller horizon needs fewer; fill fills the gaps");
  }
}

// The window that forecasting reads: its calendar goes on where the values end.
TEST(Windows, AtTheEndKnowTheFutureCalendar) {
  const Series series = hourly(30);
  const ScaledSeries scaled(series, unscaled(series), kHourPlan, 4);
  const Windows windows = Windows::at_end(scaled, 6, 4);
  ASSERT_EQ(windows.size(), 1u);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(1), arena);
  windows.gather(all_of(windows), batch);
  EXPECT_EQ(batch.history[5], 29.0f);
  for (std::size_t t = 0; t < 4; ++t) {
    const auto hour = static_cast<float>((30 + t) % 24);
    EXPECT_FLOAT_EQ(batch.future_calendars.features[t], hour / 23.0f - 0.5f);
    EXPECT_EQ(batch.future_phase[t], static_cast<int>((30 + t) % 24));
    EXPECT_TRUE(std::isnan(batch.target[t]));
  }
}

TEST(Windows, AtTheEndNeedWhatTheyRead) {
  const auto windows_of = [](const Series& series) {
    const ScaledSeries scaled(series, unscaled(series), kHourPlan, 4);
    const Windows windows = Windows::at_end(scaled, 6, 4);
    return windows.size() == 0 ? 0 : windows.first_row(0);
  };
  // Known columns run four rows ahead of the targets, past ones do not.
  Series series = hourly(30, {Role::kTarget, Role::kKnown, Role::kPast});
  for (std::size_t row = 26; row < 30; ++row) {
    series.channels[0].values[row] = series.channels[2].values[row] = kMissing;
  }
  EXPECT_EQ(windows_of(series), 20u);
  for (const auto& [channel, row] : {std::pair{0, 22}, {1, 29}, {2, 20}}) {
    Series broken = series;
    broken.channels[static_cast<std::size_t>(channel)].values[static_cast<std::size_t>(row)] =
        kMissing;
    EXPECT_EQ(windows_of(broken), 0u) << channel;
  }
  EXPECT_EQ(windows_of(hourly(5)), 0u) << "too short";
}

TEST(Windows, PhaseByRowCountsRows) {
  Series series = hourly(30);
  for (Instant& stamp : series.stamps) stamp.milliseconds += 5 * 3600000;
  const ScaledSeries by_row(series, unscaled(series), {{}, 7, PhaseSource::kRow});
  const ScaledSeries by_stamp(series, unscaled(series), {{}, 24, PhaseSource::kTimestamp});
  EXPECT_EQ(by_row.phases()[9], 2);
  EXPECT_EQ(by_stamp.phases()[9], 14);
}

// Every sample's calendar, looked up through the distinct ones, is its own rows' features.
TEST(Windows, CalendarsAreSharedExactly) {
  Series series = hourly(2000);
  // Rows as they come: an hour is missing and a stamp is repeated.
  for (std::size_t row = 700; row < 2000; ++row) series.stamps[row].milliseconds += 3600000;
  series.stamps[1300] = series.stamps[1299];
  const CalendarPlan plan{
      {CalendarFeature::kHourOfDay, CalendarFeature::kDayOfWeek}, 24, PhaseSource::kTimestamp};
  const ScaledSeries scaled(series, unscaled(series), plan);
  const Windows windows(scaled, 48, 12, {0, 2000}, History::kInside);
  Arena arena;
  const std::size_t samples = windows.size();
  Batch batch = allocate_batch(windows.shape(samples), arena);
  windows.gather(all_of(windows), batch);
  const auto check = [&](const Calendars& calendars, std::size_t offset, std::size_t steps) {
    ASSERT_TRUE(std::ranges::is_sorted(calendars.keys.first(calendars.distinct)));
    for (std::size_t b = 0; b < samples; ++b) {
      const auto which = static_cast<std::size_t>(calendars.of_sample[b]);
      ASSERT_LT(which, calendars.distinct);
      const float* mine = scaled.feature_rows().data() + (windows.first_row(b) + offset) * 2;
      ASSERT_TRUE(std::equal(mine, mine + steps * 2, calendars.features.data() + which * steps * 2))
          << "window " << b;
    }
  };
  check(batch.history_calendars, 0, 48);
  check(batch.future_calendars, 48, 12);
  // 168 of the regular week, and those that see the missing hour or the repeated stamp.
  EXPECT_EQ(batch.future_calendars.distinct, 168u + 11u + 12u);
}

// Training gathers thousands of batches into the same memory.
TEST(Windows, GatheringAllocatesNothing) {
  if (!allocation_count_works()) GTEST_SKIP() << "a sanitizer owns the allocator in this build";
  const Series series = hourly(3000);
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const Windows windows(scaled, 96, 24, {0, 3000}, History::kInside);
  WindowOrder order = WindowOrder::shuffled(windows.size(), 128, 1);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(128), arena);
  const std::size_t before = allocation_count();
  for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
    order.shuffle(1, epoch);
    for (std::size_t i = 0; i < order.batches(); ++i) windows.gather(order.batch(i), batch);
  }
  EXPECT_EQ(allocation_count(), before);
}

TEST(Windows, HourOfDayAloneHas24Calendars) {
  const Series series = hourly(5000);
  const ScaledSeries scaled(series, unscaled(series), kHourPlan);
  const Windows windows(scaled, 96, 96, {0, 5000}, History::kInside);
  EXPECT_EQ(windows.distinct_history_calendars(), 24u);
  EXPECT_EQ(windows.distinct_future_calendars(), 24u);
  Arena arena;
  Batch batch = allocate_batch(windows.shape(256), arena);
  const WindowOrder order = WindowOrder::shuffled(windows.size(), 256, 1);
  windows.gather(order.batch(0), batch);
  EXPECT_LE(batch.history_calendars.distinct, 24u);
}

TEST(WindowOrder, SequentialVisitsEveryWindow) {
  const WindowOrder order = WindowOrder::sequential(10, 4);
  ASSERT_EQ(order.batches(), 3u);
  EXPECT_EQ(order.batch(2).size(), 2u);
  EXPECT_EQ(order.batch(2)[1], 9u);
  EXPECT_EQ(WindowOrder::sequential(0, 4).batches(), 0u);
}

TEST(WindowOrder, ShuffledIsAFunctionOfSeedAndEpoch) {
  WindowOrder order = WindowOrder::shuffled(1000, 64, 7);
  EXPECT_EQ(order.batches(), 15u) << "the last partial batch is left out";
  const auto copy = [&] {
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; i < order.batches(); ++i) {
      list.insert(list.end(), order.batch(i).begin(), order.batch(i).end());
    }
    return list;
  };
  const auto first = copy();
  EXPECT_EQ(std::set<std::uint32_t>(first.begin(), first.end()).size(), 960u);
  order.shuffle(7, 1);
  const auto second = copy();
  EXPECT_NE(second, first);
  order.shuffle(8, 0);
  EXPECT_NE(copy(), first);
  order.shuffle(7, 0);
  EXPECT_EQ(copy(), first);
}

TEST(WindowOrder, FewerWindowsThanABatchAreOneBatch) {
  const WindowOrder order = WindowOrder::shuffled(10, 64, 7);
  ASSERT_EQ(order.batches(), 1u);
  EXPECT_EQ(order.batch(0).size(), 10u);
  EXPECT_EQ(WindowOrder::shuffled(0, 64, 7).batches(), 0u);
}

}  // namespace
}  // namespace pulsecast
