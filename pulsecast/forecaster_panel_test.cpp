// Panels through the public face.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/base/testing.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecaster.h"

namespace pulsecast {
namespace {

// Shops that open and close at different times, in long form: the file that most businesses have.
class PanelTest : public ::testing::Test {
 protected:
  // Days of `shops`; shop s has the days [first, last) that `rows` gives.
  static std::string shops(const std::vector<RowRange>& rows) {
    std::string text = "unique_id,ds,y\n";
    for (std::size_t s = 0; s < rows.size(); ++s) {
      for (std::size_t day = rows[s].begin; day < rows[s].end; ++day) {
        const Instant stamp{1704067200000 + static_cast<std::int64_t>(day) * 86'400'000};
        const double week = std::sin(static_cast<double>(day % 7));
        text += fmt::format("shop{},{},{:.3f}\n", s, to_text(stamp, Zone()),
                            std::pow(10.0, static_cast<double>(s % 4)) *
                                (5.0 + week + 0.1 * static_cast<double>((day * 7 + s) % 5)));
      }
    }
    return text;
  }
  static std::vector<RowRange> ragged() {
    std::vector<RowRange> rows;
    for (std::size_t s = 0; s < 12; ++s) rows.push_back({11 * s, 200});
    rows.push_back({0, 120});    // ended
    rows.push_back({190, 200});  // has just begun
    return rows;
  }
  static Settings panel_settings() {
    Settings settings;
    settings.data.horizon = "7";
    settings.model.hidden = 8;
    settings.training.epochs = 2;
    return settings;
  }
  static Observations rows_of(const std::string& text) { return Observations::parse(text, {}); }
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

  pulsecast::testing::TemporaryFolder folder_;
};

TEST_F(PanelTest, RaggedSeriesAreTrainedForecastAndScored) {
  const std::string text = shops(ragged());
  const auto model = fit(rows_of(text), panel_settings(), {.threads = Threads()});
  EXPECT_EQ(model->card().settings.data.panel, Panel::kSeries);
  EXPECT_EQ(model->card().channels.size(), 14u);

  const Observations rows = rows_of(text);
  const SeriesForecast next = model->forecast(rows);
  ASSERT_EQ(next.channels.size(), 14u);
  using Status = ChannelForecast::Status;
  EXPECT_EQ(next.channels[0].status, Status::kOk) << next.channels[0].reason;
  EXPECT_EQ(next.channels[12].status, Status::kEnded);
  EXPECT_TRUE(next.channels[12].values.empty());
  EXPECT_EQ(next.channels[13].status, Status::kShortHistory);
  for (const ChannelForecast& channel : next.channels) {
    if (channel.status == Status::kEnded) continue;
    ASSERT_EQ(channel.values.size(), 7u) << channel.channel;
    for (const double value : channel.values) EXPECT_TRUE(std::isfinite(value));
  }
  EXPECT_FALSE(next.is_whole());
  const SeriesForecast all = model->forecast(rows, {.include_ended = true});
  EXPECT_EQ(all.channels[12].values.size(), 7u);
  EXPECT_LT(*all.channels[12].cutoff, all.cutoff);

  const EvaluatedRows scored = model->evaluate(rows, Part::kValidation);
  EXPECT_EQ(scored.evaluation.windows, 13u) << "one each of those that have a week before it";
  EXPECT_EQ(scored.evaluation.model.scaled.per_channel.size(), 14u);
}

TEST_F(PanelTest, NewSeriesAreForecastAndFilesKeepTheModel) {
  const auto model = fit(rows_of(shops(ragged())), panel_settings(), {.threads = Threads()});
  model->save(file("shops.model"));
  const auto again = Model::load(file("shops.model"));
  std::vector<RowRange> more = ragged();
  more.push_back({20, 200});
  const Observations rows = rows_of(shops(more));
  const SeriesForecast one = model->forecast(rows);
  const SeriesForecast other = again->forecast(rows);
  ASSERT_EQ(one.channels.size(), 15u);
  EXPECT_EQ(one.channels[14].status, ChannelForecast::Status::kNewSeries);
  for (std::size_t c = 0; c < one.channels.size(); ++c) {
    EXPECT_EQ(one.channels[c].values, other.channels[c].values);
  }
  EXPECT_EQ(to_long_csv(one, true), to_long_csv(other, true));
}

TEST_F(PanelTest, ThreadsDoNotChangeABit) {
  const std::string text = shops(ragged());
  const auto one = fit(rows_of(text), panel_settings(), {.threads = Threads(1)});
  const auto two = fit(rows_of(text), panel_settings(), {.threads = Threads(2)});
  const Observations rows = rows_of(text);
  EXPECT_EQ(to_long_csv(one->forecast(rows), true), to_long_csv(two->forecast(rows), true));
}

}  // namespace
}  // namespace pulsecast
