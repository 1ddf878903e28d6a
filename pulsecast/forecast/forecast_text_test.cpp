#include "pulsecast/forecast/forecast_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace pulsecast {
namespace {

using Status = ChannelForecast::Status;

// Two steps of two channels; the second has no forecast of the model's.
SeriesForecast example() {
  SeriesForecast forecast;
  forecast.cutoff = {1'704'067'200'000};
  forecast.stamps = {{1'704'070'800'000}, {1'704'074'400'000}};
  forecast.channels = {{"load", Status::kOk, "", {1.0 / 3.0, 2e10}, {0.25, 1e10}, {0.5, 1e10}, 0.1},
                       {"price", Status::kSeasonalNaive, "a gap", {-4, 5.5}, {}, {}, 0.0}};
  forecast.channels[0].unit = 1.0;
  return forecast;
}

std::vector<std::vector<std::string>> cells(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream row(line);
    rows.emplace_back();
    for (std::string cell; std::getline(row, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(ForecastText, Long) {
  EXPECT_EQ(to_long_csv(example(), false),
            "unique_id,ds,cutoff,yhat,status\n"
            "load,2024-01-01 01:00:00,2024-01-01 00:00:00,0.33333333,ok\n"
            "load,2024-01-01 02:00:00,2024-01-01 00:00:00,20000000000,ok\n"
            "price,2024-01-01 01:00:00,2024-01-01 00:00:00,-4,seasonal_naive\n"
            "price,2024-01-01 02:00:00,2024-01-01 00:00:00,5.5,seasonal_naive\n");
}

TEST(ForecastText, ComponentsAreEmptyWhereThereAreNone) {
  const auto rows = cells(to_long_csv(example(), true));
  EXPECT_EQ(rows[0], (std::vector<std::string>{"unique_id", "ds", "cutoff", "yhat", "status",
                                               "anchor", "residual", "scale", "effect"}));
  EXPECT_EQ(rows[1][5], "0.25");
  EXPECT_EQ(rows[1][6], "0.5");
  EXPECT_EQ(rows[1][7], "0.1");
  EXPECT_EQ(rows[1][8], "0");
  SeriesForecast with_effect = example();
  with_effect.channels[0].effect = {-0.5, 0.25};
  EXPECT_EQ(cells(to_long_csv(with_effect, true))[2][8], "0.25");
  EXPECT_TRUE(to_long_csv(example(), true).ends_with(",5.5,seasonal_naive,,,,\n"));
}

TEST(ForecastText, WideHasTheValuesOfLong) {
  const auto rows = cells(to_long_csv(example(), false));
  const auto wide = cells(to_wide_csv(example()));
  ASSERT_EQ(wide.size(), 3u);
  EXPECT_EQ(wide[0], (std::vector<std::string>{"ds", "load", "price"}));
  for (std::size_t h = 0; h < 2; ++h) {
    EXPECT_EQ(wide[1 + h],
              (std::vector<std::string>{rows[1 + h][1], rows[1 + h][3], rows[3 + h][3]}));
  }
}

TEST(ForecastText, NamesAreQuotedWhereTheyMust) {
  SeriesForecast forecast = example();
  forecast.channels[0].channel = "load, \"net\"";
  forecast.channels[1].channel = "two\nlines";
  EXPECT_TRUE(to_wide_csv(forecast).starts_with("ds,\"load, \"\"net\"\"\",\"two\nlines\"\n"));
  EXPECT_NE(to_long_csv(forecast, false).find("\n\"load, \"\"net\"\"\",2024"), std::string::npos);
}

// The hour that comes twice when clocks go back.
TEST(ForecastText, StampsOfAZoneHaveTheirOffset) {
  SeriesForecast forecast = example();
  forecast.zone = Zone::named("Europe/Berlin");
  forecast.stamps = {{1'729'987'200'000}, {1'729'990'800'000}};
  const auto wide = cells(to_wide_csv(forecast));
  EXPECT_EQ(wide[1][0], "2024-10-27T02:00:00+02:00");
  EXPECT_EQ(wide[2][0], "2024-10-27T02:00:00+01:00");
}

TEST(ForecastText, EveryStatusHasAName) {
  EXPECT_STREQ(name(Status::kOk), "ok");
  EXPECT_STREQ(name(Status::kSeasonalNaive), "seasonal_naive");
  EXPECT_STREQ(name(Status::kLevel), "level");
}

}  // namespace
}  // namespace pulsecast
