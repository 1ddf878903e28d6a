#include "pulsecast/data/synthetic/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/series/period.h"

namespace pulsecast {
namespace {

std::string csv_of(const SyntheticSettings& settings) {
  std::string text;
  write_csv(Synthetic(settings), settings.decimals, [&](std::string_view piece) { text += piece; });
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

SyntheticSettings small() {
  SyntheticSettings settings;
  settings.rows = 2000;
  settings.channels = 4;
  return settings;
}

double spread(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(values.size());
  return std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)));
}

TEST(Synthetic, IsAFunctionOfItsSettings) {
  SyntheticSettings settings = small();
  settings.missing = 0.05;
  settings.duplicates = 0.02;
  const std::string first = csv_of(settings);
  EXPECT_EQ(csv_of(settings), first);
  settings.seed = 7;
  EXPECT_NE(csv_of(settings), first);
}

// A promise to whoever keeps a checksum: these lines never change.
TEST(Synthetic, FirstRowsAreFixed) {
  SyntheticSettings settings;
  settings.rows = 3;
  settings.channels = 5;
  const auto lines = lines_of(csv_of(settings));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "date,c1,c2,c3,c4,c5");
  EXPECT_EQ(lines[1], "2024-01-01 00:00:00,11.254,158.276,9.753,11.859,11.870");
  EXPECT_EQ(lines[3], "2024-01-01 02:00:00,16.210,193.275,10.411,13.125,17.688");
}

TEST(Synthetic, MoreRowsOrChannelsLeaveTheDrawsAlone) {
  SyntheticSettings settings = small();
  settings.trend = 0.0;
  const Series narrow = make_series(Synthetic(settings));
  settings.channels = 9;
  settings.rows = 4000;
  const Series wide = make_series(Synthetic(settings));
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_TRUE(std::equal(narrow.channels[c].values.begin(), narrow.channels[c].values.end(),
                           wide.channels[c].values.begin()));
  }
}

TEST(Synthetic, HasTheCyclesItWasAskedFor) {
  SyntheticSettings settings = small();
  settings.weekly = 0.0;
  EXPECT_EQ(find_period(make_series(Synthetic(settings))).period->lag, 24u);
  settings.weekly = 0.8;
  EXPECT_EQ(find_period(make_series(Synthetic(settings))).period->lag, 168u);
  settings.step = "15min";
  settings.weekly = 0.0;
  EXPECT_EQ(find_period(make_series(Synthetic(settings))).period->lag, 96u);
  settings.daily = 0.0;
  settings.trend = 0.0;
  EXPECT_FALSE(find_period(make_series(Synthetic(settings))).period);
}

TEST(Synthetic, ShapesFollowTheWallClock) {
  SyntheticSettings settings = small();
  settings.time_zone = "Europe/Berlin";
  settings.start = "2024-03-25 00:00";  // clocks change on the Sunday
  settings.noise = settings.weekly = settings.trend = 0.0;
  const Series series = make_series(Synthetic(settings));
  const auto& values = series.channels[0].values;
  // Before the change a day is 24 rows, across it 23, after it 24 again.
  EXPECT_NEAR(values[8], values[8 + 24], 1e-9);
  EXPECT_NEAR(values[5 * 24 + 8], values[6 * 24 + 7], 1e-9);
  EXPECT_GT(std::abs(values[5 * 24 + 8] - values[6 * 24 + 8]), 1e-3);
  EXPECT_NE(csv_of(settings).find("2024-03-31T03:00:00+02:00"), std::string::npos);
}

TEST(Synthetic, RegimesChangeTheLevelForGood) {
  SyntheticSettings settings = small();
  settings.daily = settings.weekly = settings.trend = settings.noise = 0.0;
  const Series flat = make_series(Synthetic(settings));
  EXPECT_EQ(std::ranges::count(flat.channels[0].values, flat.channels[0].values[0]), 2000);
  settings.regimes = 3;
  const Series stepped = make_series(Synthetic(settings));
  auto levels = stepped.channels[0].values;
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  EXPECT_EQ(levels.size(), 4u);
}

TEST(Synthetic, NoiseSwellsAndFades) {
  SyntheticSettings settings = small();
  settings.rows = 5040;  // 30 weeks
  settings.daily = settings.weekly = settings.trend = 0.0;
  const auto widest_to_narrowest = [&] {
    const Series series = make_series(Synthetic(settings));
    double least = 1e9, most = 0;
    for (std::size_t row = 0; row + 84 <= 5040; row += 84) {
      const double here = spread(std::span(series.channels[0].values).subspan(row, 84));
      least = std::min(least, here);
      most = std::max(most, here);
    }
    return most / least;
  };
  EXPECT_LT(widest_to_narrowest(), 2.0);
  settings.noise_swing = 1.0;
  EXPECT_GT(widest_to_narrowest(), 2.0);
}

TEST(Synthetic, PhaseDriftsByTheDaysAsked) {
  SyntheticSettings settings = small();
  settings.rows = 2400;
  settings.noise = settings.weekly = settings.trend = 0.0;
  settings.phase_drift = 0.5;
  const auto values = make_series(Synthetic(settings)).channels[0].values;
  const auto peak_hour = [&](std::size_t day) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(24 * day);
    return std::max_element(begin, begin + 24) - begin;
  };
  const auto moved = (peak_hour(99) - peak_hour(0) + 24) % 24;
  EXPECT_GE(moved, 11);
  EXPECT_LE(moved, 13);
}

TEST(Synthetic, FaultsComeInTheirShares) {
  SyntheticSettings settings = small();
  settings.rows = 20000;
  settings.missing = 0.1;
  settings.duplicates = 0.05;
  const Series series = make_series(Synthetic(settings));
  std::size_t missing = 0;
  for (const Channel& channel : series.channels) {
    missing += static_cast<std::size_t>(
        std::ranges::count_if(channel.values, [](double v) { return std::isnan(v); }));
  }
  EXPECT_NEAR(static_cast<double>(missing) / 80000.0, 0.1, 0.01);
  const auto lines = lines_of(csv_of(settings));
  EXPECT_NEAR(static_cast<double>(lines.size() - 20001), 1000.0, 120.0);
  // The second row of a repeated stamp has noise of its own.
  const auto stamp = [&](std::size_t i) { return lines[i].substr(0, 19); };
  std::size_t first = 1;
  while (stamp(first) != stamp(first + 1)) ++first;
  EXPECT_NE(lines[first], lines[first + 1]);
}

TEST(Synthetic, RefusesWhatItCannotMake) {
  SyntheticSettings settings = small();
  settings.step = "1000y";
  EXPECT_THROW(Synthetic{settings}, Error);
  settings = small();
  settings.start = "yesterday";
  EXPECT_THROW(Synthetic{settings}, Error);
  settings = small();
  settings.time_zone = "Mars/Olympus";
  EXPECT_THROW(Synthetic{settings}, Error);
}

// A price and holidays do to every row what they are said to, and go on without a value.
TEST(Synthetic, KnownColumnsHaveTheirEffectsAndGoOn) {
  SyntheticSettings plain;
  plain.rows = 400;
  plain.channels = 2;
  plain.step = "1d";
  SyntheticSettings settings = plain;
  settings.price = 0.5;
  settings.holiday = -0.25;
  settings.ahead = 10;
  const Series without = make_series(Synthetic(plain));
  const Series with = make_series(Synthetic(settings));
  ASSERT_EQ(with.channels.size(), 4u);
  EXPECT_EQ(with.channels[2].name, "price");
  EXPECT_EQ(with.channels[3].role, Role::kKnown);
  EXPECT_EQ(with.rows(), 410u);
  double holidays = 0.0;
  for (std::size_t row = 0; row < 400; ++row) {
    const double price = with.channels[2].values[row];
    const double holiday = with.channels[3].values[row];
    holidays += holiday;
    const double first = with.channels[0].values[row] - without.channels[0].values[row];
    const double second = with.channels[1].values[row] - without.channels[1].values[row];
    // The same of each channel's own level.
    const double effect = 0.5 * price - 0.25 * holiday;
    if (effect == 0.0) {
      EXPECT_EQ(first, 0.0);
    } else {
      const double level = first / effect;
      EXPECT_NEAR(level,
                  (with.channels[0].values[0] - without.channels[0].values[0]) /
                      (0.5 * with.channels[2].values[0] - 0.25 * with.channels[3].values[0]),
                  1e-6 * level);
      EXPECT_GT(second / effect, 0.0);
    }
  }
  EXPECT_NEAR(holidays / 400.0, 0.04, 0.03);
  const std::vector<std::string> lines = lines_of(csv_of(settings));
  EXPECT_EQ(lines.size(), 411u);
  EXPECT_EQ(lines.front(), "date,c1,c2,price,holiday");
  EXPECT_NE(lines.back().find(" 00:00:00,,,0."), std::string::npos) << lines.back();
  settings.is_long = true;
  const std::vector<std::string> of_long = lines_of(csv_of(settings));
  EXPECT_EQ(of_long.front(), "unique_id,ds,y,price,holiday");
  EXPECT_EQ(of_long.size(), 1u + 2u * 410u);
  settings.price = settings.holiday = 0.0;
  EXPECT_THROW(Synthetic{settings}, Error) << "nothing goes on";
}

// Regions have weeks of their own and kinds do not; both are columns that say one thing of a
// series.
TEST(Synthetic, RegionsAndKindsAreColumnsOfALongFile) {
  SyntheticSettings settings{.rows = 14, .channels = 40, .step = "1d", .is_long = true};
  settings.trend = 0.0;
  settings.noise = 0.0;
  settings.regions = 3;
  settings.kinds = 2;
  const Synthetic made(settings);
  ASSERT_EQ(made.statics(), 2u);
  const std::string text = csv_of(settings);
  EXPECT_TRUE(text.starts_with("unique_id,ds,y,region,kind\nc1,2024-01-01 00:00:00,")) << text;
  DataSettings reading;
  reading.static_columns = {"region", "kind"};
  EXPECT_EQ(testing::read_text(text, reading).statics,
            (std::vector<StaticColumn>{made.static_column(0), made.static_column(1)}));

  // The day on which a series sells most is that of its region.
  std::map<std::string, std::set<std::size_t>> best_days;
  for (std::size_t c = 0; c < made.channels(); ++c) {
    std::vector<double> week;
    for (std::size_t day = 0; day < 7; ++day) week.push_back(made.value(made.moment(day), 0, c));
    best_days[made.static_column(0).values[c]].insert(
        static_cast<std::size_t>(std::ranges::max_element(week) - week.begin()));
  }
  EXPECT_EQ(best_days.size(), 3u);
  for (const auto& [region, days] : best_days) EXPECT_EQ(days.size(), 1u) << region;
  settings.is_long = false;
  EXPECT_THROW(Synthetic{settings}, Error);
}

}  // namespace
}  // namespace pulsecast
