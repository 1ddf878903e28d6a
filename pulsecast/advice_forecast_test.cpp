// Files as people have them, from their bytes to a forecast: what the doctor advises is enough to
// train.

#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/forecaster.h"
#include "pulsecast/testing/files/followed_advice.h"
#include "pulsecast/testing/files/true_files.h"

namespace pulsecast {
namespace {

// A ridge in closed form: milliseconds.
constexpr auto kLinear = static_cast<ModelKind>(1 + static_cast<int>(BackboneKind::kLinear));

TEST(Advice, IsEnoughToTrainAndForecastEveryFile) {
  for (const testing::TrueFile& file : testing::true_files()) {
    SCOPED_TRACE(file.name);
    Settings settings;
    settings.data = testing::follow_advice(file).reading;
    settings.data.lookback = "8";
    settings.data.horizon = "3";
    settings.model.model = kLinear;
    const auto model = fit(Observations::parse(file.text, settings.data), settings);
    const Observations rows = Observations::parse(file.text, settings.data);
    const SeriesForecast next = model->forecast(rows);
    EXPECT_EQ(next.channels.size(), file.series.size());
    ASSERT_EQ(next.stamps.size(), 3U);
    EXPECT_EQ(next.stamps.front(), rows.step().add(rows.stamps().back(), 1, rows.zone()));
    for (const ChannelForecast& channel : next.channels) {
      ASSERT_TRUE(file.series.contains(channel.channel)) << channel.channel;
      // Weekly waves and days of sensors are smooth: a forecast stays near what the file holds.
      const double last = file.truth(file.series.at(channel.channel), file.rows - 1);
      for (const double value : channel.values) {
        EXPECT_TRUE(std::isfinite(value));
        EXPECT_LT(std::abs(value - last), 0.8 * std::abs(last) + 2) << channel.channel;
      }
    }
  }
}

}  // namespace
}  // namespace pulsecast
