#include "pulsecast/data/windows/series_windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/data/windows/windows.h"

namespace pulsecast {
namespace {

constexpr WindowSize kSize{24, 6, 12};
const CalendarPlan kPanelPlan{{CalendarFeature::kHourOfDay}, 12, PhaseSource::kTimestamp};

// A series that has the rows [begin, end) of the grid; the value at a row is 1000 number + row.
Channel made(std::uint32_t number, std::size_t begin, std::size_t end) {
  Channel channel{"s" + std::to_string(number), Role::kTarget, {}, begin, number};
  for (std::size_t row = begin; row < end; ++row) {
    channel.values.push_back(1000.0 * number + static_cast<double>(row));
  }
  return channel;
}

Series panel_of(std::vector<Channel> channels, std::size_t rows) {
  Series series;
  series.source = "shops.csv";
  for (std::size_t row = 0; row < rows; ++row) {
    series.stamps.push_back({1467331200000 + static_cast<std::int64_t>(row) * 3600000});
  }
  series.channels = std::move(channels);
  return series;
}

Scaler own_units(const Series& series) {
  return {std::vector<double>(series.channels.size(), 0.0),
          std::vector<double>(series.channels.size(), 1.0)};
}

std::vector<RowRange> whole(const Series& series) {
  std::vector<RowRange> parts;
  for (const Channel& channel : series.channels) parts.push_back(channel.rows());
  return parts;
}

// Origin -> history and future of each window of a target.
std::map<std::size_t, std::vector<float>> windows_of(const Series& series, std::size_t target) {
  const ScaledSeries scaled =
      ScaledSeries::panel(series, own_units(series), kPanelPlan, kSize.lookback);
  const Windows windows(scaled, kSize, SeriesWindows(scaled, kSize, whole(series), true, 0));
  std::map<std::size_t, std::vector<float>> found;
  Arena arena;
  Batch batch = allocate_batch(windows.shape(1), arena);
  for (std::uint32_t window = 0; window < windows.size(); ++window) {
    const WindowPlace place = windows.panel()->place(window);
    if (place.target != target) continue;
    windows.gather({&window, 1}, batch);
    std::vector<float>& values = found[place.origin - scaled.lead()];
    values.assign(batch.history.begin(), batch.history.begin() + kSize.lookback);
    values.insert(values.end(), batch.target.begin(), batch.target.begin() + kSize.horizon);
  }
  return found;
}

TEST(SeriesWindows, AreOfOneSeriesEach) {
  const Series series = panel_of({made(0, 0, 50), made(1, 30, 80)}, 100);
  const auto found = windows_of(series, 1);
  // At least a cycle of 12 rows before the first value forecast, six from there on.
  ASSERT_EQ(found.size(), 80u - 30 - 12 - 6 + 1);
  EXPECT_EQ(found.begin()->first, 42u);
  EXPECT_EQ(found.rbegin()->first, 74u);
  const std::vector<float>& last = found.rbegin()->second;
  for (std::size_t i = 0; i < last.size(); ++i) {
    EXPECT_EQ(last[i], 1000.0f + static_cast<float>(74 - 24 + i));
  }
}

// Padded by the cycle that is there, back in time, and never by what is to be forecast.
TEST(SeriesWindows, ShortHistoriesRepeatTheirFirstCycle) {
  const Series series = panel_of({made(1, 30, 80)}, 100);
  const std::vector<float> first = windows_of(series, 0).begin()->second;
  for (std::size_t t = 0; t < 12; ++t) EXPECT_EQ(first[t], first[t + 12]) << t;
  EXPECT_EQ(first[12], 1030.0f);
}

TEST(SeriesWindows, AnothersRowsDoNotTouchThem) {
  const Channel own = made(1, 30, 80);
  Channel gapped = made(2, 5, 95);
  gapped.values[40] = kMissing;
  const auto alone = windows_of(panel_of({own}, 100), 0);
  const auto among = windows_of(panel_of({made(0, 0, 100), own, gapped}, 100), 1);
  EXPECT_EQ(alone, among);
}

TEST(SeriesWindows, NoneCrossesAGapOfItsOwn) {
  Channel channel = made(0, 0, 100);
  channel.values[50] = kMissing;
  const auto found = windows_of(panel_of({channel}, 100), 0);
  for (const auto& [origin, values] : found) {
    EXPECT_TRUE(origin + 6 <= 50 || origin >= 51 + 12) << origin;
    for (const float value : values) EXPECT_FALSE(std::isnan(value)) << origin;
  }
  EXPECT_EQ(found.size(), (50u - 12 - 6 + 1) + (49u - 12 - 6 + 1));
}

TEST(SeriesWindows, ThinnedOnesKeepTheNewestOfEach) {
  const Series series = panel_of({made(0, 0, 100), made(1, 30, 80)}, 100);
  const ScaledSeries scaled =
      ScaledSeries::panel(series, own_units(series), kPanelPlan, kSize.lookback);
  const SeriesWindows windows(scaled, kSize, whole(series), false, 10);
  EXPECT_LE(windows.size(), 12u);
  const auto first_of = windows.first_of_targets();
  ASSERT_EQ(first_of.size(), 3u);
  EXPECT_EQ(windows.place(first_of[1] - 1).origin, scaled.lead() + 94);
  EXPECT_EQ(windows.place(first_of[2] - 1).origin, scaled.lead() + 74);
}

// Evenly: a series of ten windows comes as often as one of ten thousand.
TEST(SeriesWindows, AreDrawnEvenlyOrByLength) {
  const std::vector<std::uint32_t> first_of = {0, 10, 10, 10'010};
  const auto short_share = [&](bool evenly) {
    WindowOrder order = WindowOrder::drawn(first_of, evenly, 100, 40, 7);
    order.shuffle(7, 3);
    std::size_t count = 0;
    for (std::size_t i = 0; i < order.batches(); ++i) {
      for (const std::uint32_t window : order.batch(i)) count += window < 10 ? 1 : 0;
    }
    return static_cast<double>(count) / 4000.0;
  };
  EXPECT_EQ(short_share(true), 0.5);
  EXPECT_LT(short_share(false), 0.01);
  WindowOrder one = WindowOrder::drawn(first_of, true, 100, 40, 7);
  WindowOrder other = WindowOrder::drawn(first_of, true, 100, 40, 7);
  one.shuffle(7, 5);
  other.shuffle(7, 5);
  EXPECT_TRUE(std::ranges::equal(one.batch(39), other.batch(39)));
}

}  // namespace
}  // namespace pulsecast
