#include "pulsecast/forecast/align.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/base/error.h"
#include "pulsecast/forecast/testing.h"

namespace pulsecast {
namespace {

using testing::hourly_series;
using testing::ReadyModel;
using testing::tail;
using testing::untrained_model;

std::string refusal(Series series, const artifact::Model& model) {
  try {
    align(std::move(series), model);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(Align, OtherColumnsAndAnotherOrderChangeNoForecast) {
  const Series series = hourly_series(80, true);
  ReadyModel ready(untrained_model(series));
  Series other = series;
  other.channels.push_back({"note", Role::kTarget, std::vector<double>(80, kMissing)});
  std::rotate(other.channels.begin(), other.channels.begin() + 2, other.channels.end());
  for (Channel& channel : other.channels) channel.role = Role::kTarget;

  const Series aligned = align(other, ready.model());
  ASSERT_EQ(aligned.channels.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(aligned.channels[c].name, series.channels[c].name);
    EXPECT_EQ(aligned.channels[c].role, series.channels[c].role) << "the model's, not the file's";
    EXPECT_EQ(aligned.channels[c].values, series.channels[c].values);
  }
}

TEST(Align, MissingColumnsAreNamed) {
  const artifact::Model model = untrained_model(hourly_series(80, true));
  Series series = hourly_series(80, true);
  series.channels.erase(series.channels.begin() + 1);
  EXPECT_EQ(refusal(series, model), "load.csv: the model needs a column that is not there: b");
  series.channels.pop_back();
  EXPECT_EQ(refusal(series, model),
            "load.csv: the model needs columns that are not there: b, plan");

  artifact::Model wide;
  wide.step = series.step;
  for (int i = 0; i < 15; ++i) wide.channels.push_back({"s" + std::to_string(i), Role::kTarget});
  EXPECT_NE(refusal(series, wide).find("s10, s11 and 3 more"), std::string::npos);
}

TEST(Align, AnotherStepOrZoneIsRefused) {
  const artifact::Model model = untrained_model(hourly_series(80));
  Series series = hourly_series(80);
  series.step = Step::parse("30min");
  EXPECT_EQ(refusal(series, model),
            "load.csv: the model was trained on steps of 1h, these rows have steps of 30min");
  series = hourly_series(80);
  series.zone = Zone::named("Asia/Tokyo");
  EXPECT_EQ(refusal(series, model),
            "load.csv: the model was trained in the time zone UTC, these rows are in Asia/Tokyo");
}

TEST(Align, FilesAreReadForTheModelsColumnsAlone) {
  artifact::Model model = untrained_model(hourly_series(80, true));
  model.settings.data.target = {"a"};
  model.settings.data.drop = {"x"};
  model.settings.data.ignore = {"note"};
  const DataSettings settings = reading_settings(model);
  EXPECT_EQ(settings.target, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(settings.known, std::vector<std::string>{"plan"});
  EXPECT_TRUE(settings.drop.empty());
  EXPECT_TRUE(settings.ignore.empty());
  EXPECT_EQ(settings.others, Others::kIgnore);
  EXPECT_EQ(settings.fill, Fill::kNone) << "a gap costs its channel, not the run";
  EXPECT_EQ(settings.step, "1h");

  model.settings.data.fill = Fill::kLinear;
  model.settings.data.layout = Layout::kLong;
  model.settings.data.resample = "2h";
  const DataSettings as_trained = reading_settings(model);
  EXPECT_EQ(as_trained.fill, Fill::kLinear);
  EXPECT_EQ(as_trained.target, std::vector<std::string>{"a"})
      << "in long files series are no columns";
  EXPECT_EQ(as_trained.step, std::nullopt) << "rows are resampled";
}

TEST(Align, PhasesByRowKeepTheBeatOfTheTrainingRows) {
  const Series series = hourly_series(80);
  const artifact::Model model = untrained_model(tail(series, 30), PhaseSource::kRow);
  EXPECT_EQ(calendar_for(tail(series, 30), model).first_phase, 0);
  EXPECT_EQ(calendar_for(tail(series, 37), model).first_phase, 7);
  EXPECT_EQ(calendar_for(tail(series, 54), model).first_phase, 0);
  EXPECT_EQ(calendar_for(series, model).first_phase, 18) << "30 rows before: -30 modulo 24";
  const artifact::Model by_stamp = untrained_model(tail(series, 30));
  EXPECT_EQ(calendar_for(series, by_stamp).first_phase, 0);
}

}  // namespace
}  // namespace pulsecast
