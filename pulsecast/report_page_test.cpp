#include "pulsecast/report_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/data/series/series.h"
#include "pulsecast/forecast_picture.h"

namespace pulsecast {
namespace {

// Hours of channels that have a day and a drift.
Series page_series(std::size_t rows, std::size_t channels) {
  Series series;
  series.source = "made";
  for (std::size_t row = 0; row < rows; ++row) {
    series.stamps.push_back({static_cast<std::int64_t>(row) * 3'600'000});
  }
  for (std::size_t c = 0; c < channels; ++c) {
    Channel channel{fmt::format("c{}", c), Role::kTarget, {}};
    for (std::size_t row = 0; row < rows; ++row) {
      const auto hour = static_cast<double>(row);
      channel.values.push_back(10.0 * static_cast<double>(c + 1) +
                               3.0 * std::sin(hour / 24.0 * 6.283185) +
                               std::cos(hour * static_cast<double>(c + 3) * 0.37));
    }
    series.channels.push_back(std::move(channel));
  }
  return series;
}

Settings page_settings() {
  Settings settings;
  settings.data.lookback = "48";
  settings.data.horizon = "24h";
  settings.data.period = 24;
  settings.model.hidden = 8;
  settings.training.epochs = 1;
  settings.training.epoch_steps = 4;
  return settings;
}

std::shared_ptr<const Model> page_model(std::size_t channels, const Settings& settings) {
  return fit(Observations(page_series(600, channels)), settings, {.threads = Threads()});
}

TEST(ReportPage, TellsAllThereIsAndIsTheSameOnAnyNumberOfThreads) {
  const auto model = page_model(3, page_settings());
  const Observations rows(page_series(1200, 3));
  const std::string page = report_page(model, rows);
  for (const char* id : {"id='next-plot'", "id='past-plot'", "id='steps-plot'", "id='hours-plot'",
                         "id='months-plot'", "id='window-plot'", "id='residual-plot'",
                         "id='codebook-plot'", "id='maps'", "id='spectra-plot'", "id='facts'"}) {
    EXPECT_NE(page.find(id), std::string::npos) << id;
  }
  EXPECT_NE(page.find("of rows that the model has not seen"), std::string::npos);
  EXPECT_EQ(page, report_page(model, rows, {.threads = Threads(3)}));
}

TEST(ReportPage, ThreeHundredChannelsOfThreeYearsStayUnderTwoMegabytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP()
      << "minutes under a sanitizer, which sees the same code in the pages of few channels";
#endif
  const Observations rows(page_series(3 * 8760, 300));
  const auto model = fit(rows.clone(), page_settings(), {.threads = Threads(0)});
  const std::string page = report_page(model, rows, {.threads = Threads(0)});
  EXPECT_LT(page.size(), 2'000'000u);
  EXPECT_GT(page.size(), 500'000u) << "and it shows them";
  EXPECT_NE(page.find("<option value='299'>c299</option>"), std::string::npos);
}

TEST(ReportPage, AModelWithoutAnAnchorHasNoPartsToShow) {
  Settings settings = page_settings();
  settings.model.model = alone(BackboneKind::kDLinear);
  const std::string page = report_page(page_model(2, settings), Observations(page_series(900, 2)));
  EXPECT_NE(page.find("has no phase anchor"), std::string::npos);
  EXPECT_EQ(page.find("id='window-plot'"), std::string::npos);
  EXPECT_NE(page.find("id='spectra-plot'"), std::string::npos);
}

TEST(ReportPage, RowsThatWereAllSeenAreForecastAndTheScoresSaySo) {
  const auto model = page_model(2, page_settings());
  const std::string page = report_page(model, Observations(page_series(600, 2)));
  EXPECT_NE(page.find("of the rows that chose the model&#39;s epoch"), std::string::npos);
  const std::string seen = report_page(model, Observations(page_series(300, 2)));
  EXPECT_NE(seen.find("There are no scores"), std::string::npos);
  EXPECT_EQ(seen.find("id='past-plot'"), std::string::npos);
}

TEST(Inside, PartsAreThoseOfTheForecast) {
  const auto model = page_model(2, page_settings());
  const Observations rows(page_series(900, 2));
  const Inside inside =
      model->look_inside(rows, {.part = Part::kHeldOut, .most_windows = 3, .most_channels = 0});
  ASSERT_EQ(inside.windows, 3u);
  ASSERT_EQ(inside.rows.size(), 6u);
  EXPECT_TRUE(inside.has_anchor && inside.has_router);
  for (std::size_t r = 0; r < inside.rows.size(); ++r) {
    const Inside::Row& row = inside.rows[r];
    const SeriesForecast forecast = model->forecast(rows, {.at = row.cutoff});
    const ChannelForecast& channel = forecast.channels[row.channel];
    for (std::size_t h = 0; h < inside.horizon; ++h) {
      const std::size_t at = r * inside.horizon + h;
      EXPECT_NEAR(row.level + row.unit * inside.forecast[at], channel.values[h], 1e-3);
      EXPECT_NEAR(row.level + row.unit * inside.anchor[at], channel.anchor[h], 1e-3);
    }
    EXPECT_NEAR(row.unit * row.deviation, channel.scale, 1e-3);
    // The residual that was normalised is the history without its anchor.
    double mean = 0.0;
    for (std::size_t t = 0; t < inside.lookback; ++t) {
      const std::size_t at = r * inside.lookback + t;
      mean += (inside.history[at] - inside.past_anchor[at]) / static_cast<double>(inside.lookback);
    }
    EXPECT_NEAR(row.mean, mean, 1e-4);
  }
  const std::optional<Codebook> codebook = model->codebook();
  ASSERT_TRUE(codebook);
  EXPECT_EQ(codebook->levels.size(), codebook->phases * 2);
}

TEST(ForecastPicture, HasAChartAChannelAndSaysHowMany) {
  const auto model = page_model(10, page_settings());
  const Observations rows(page_series(600, 10));
  const std::string svg = forecast_svg(rows, model->forecast(rows));
  EXPECT_TRUE(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"));
  EXPECT_NE(svg.find(">c7</text>"), std::string::npos);
  EXPECT_EQ(svg.find(">c8</text>"), std::string::npos);
  EXPECT_NE(svg.find(">8 of 10 series</text>"), std::string::npos);
  EXPECT_NE(svg.find(">1970-01-"), std::string::npos) << "the axis has days";
}

}  // namespace
}  // namespace pulsecast
