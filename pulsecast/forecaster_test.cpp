#include "pulsecast/forecaster.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/testing.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecast/testing.h"

namespace pulsecast {
namespace {

constexpr std::size_t kRows = 240;

Settings small_settings() {
  Settings settings;
  settings.data.lookback = "24";
  settings.data.horizon = "6h";
  settings.data.period = 24;
  settings.model.hidden = 8;
  settings.training.epochs = 1;
  return settings;
}

class ForecasterTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

  // The series as CSV, columns in the order that `columns` gives.
  std::string write(const std::string& name, const Series& series,
                    const std::vector<std::size_t>& columns, const std::string& more = "") const {
    std::string text = "date";
    for (const std::size_t c : columns) text += "," + series.channels[c].name;
    text += more.empty() ? "\n" : "," + more + "\n";
    for (std::size_t row = 0; row < series.rows(); ++row) {
      text += to_text(series.stamps[row], series.zone);
      for (const std::size_t c : columns) {
        text += fmt::format(",{}", series.channels[c].values[row]);
      }
      text += more.empty() ? "\n" : ",7\n";
    }
    write_file(file(name), std::string_view(text));
    return file(name);
  }

  Forecaster fitted() const {
    return Forecaster::fit(write("rows.csv", series_, {0, 1}), small_settings(),
                           {.refit = false, .threads = 1, .hooks = {}});
  }

  const Series series_ = testing::hourly_series(kRows);
  pulsecast::testing::TemporaryFolder folder_;
};

void expect_same_values(const SeriesForecast& found, const SeriesForecast& expected) {
  EXPECT_EQ(to_long_csv(found, true), to_long_csv(expected, true));
}

TEST_F(ForecasterTest, AModelFileIsTheModel) {
  Forecaster model = fitted();
  ASSERT_NE(model.fitted(), nullptr);
  EXPECT_EQ(model.model().origin.data_source, "rows.csv");
  model.save(file("rows.model"));
  Forecaster again = Forecaster::load(file("rows.model"), 2);
  EXPECT_EQ(again.fitted(), nullptr);
  expect_same_values(again.forecast(file("rows.csv")), model.forecast(file("rows.csv")));
  expect_same_values(again.forecast(again.read(file("rows.csv")).series),
                     model.forecast(file("rows.csv")));
}

// As `pulsecast train --backbone patchtst` does, and the model file says with what.
TEST_F(ForecasterTest, ABackboneIsTrainedAsItNeeds) {
  Settings settings = small_settings();
  settings.model.backbone = BackboneKind::kPatchTst;
  settings.model.layers = 1;
  Forecaster::fit(write("rows.csv", series_, {0, 1}), settings,
                  {.refit = false, .threads = 1, .hooks = {}})
      .save(file("rows.model"));
  const artifact::Model model = artifact::load_model(file("rows.model"));
  EXPECT_EQ(model.settings.training.batch, 128);
  EXPECT_EQ(model.settings.training.learning_rate, 0.001);
  EXPECT_EQ(model.settings.training.patience, 5);
  EXPECT_EQ(model.settings.training.epochs, 1) << "that was told";
  EXPECT_EQ(model.settings.model.width, 128);
  EXPECT_EQ(model.settings.model.layers, 1) << "that was told";
  EXPECT_DOUBLE_EQ(model.origin.history.front().learning_rate, 0.001 / 25) << "the first epoch's";
  EXPECT_EQ(model.pulse->shape().sizes.width, 128u);
}

TEST_F(ForecasterTest, FilesWithTheSameColumnsGiveTheSameForecast) {
  Forecaster model = fitted();
  const SeriesForecast expected = model.forecast(file("rows.csv"));
  ASSERT_EQ(expected.stamps.size(), 6u) << "six hours";
  expect_same_values(model.forecast(write("swapped.csv", series_, {1, 0})), expected);
  expect_same_values(model.forecast(write("more.csv", series_, {1, 0}, "note")), expected);
  expect_same_values(model.forecast(write("newest.csv", testing::tail(series_, 200), {0, 1})),
                     expected);
  try {
    model.forecast(write("less.csv", series_, {1}));
    ADD_FAILURE() << "forecast without a column";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_NE(error.message().find("not there: a"), std::string::npos) << error.message();
  }
}

TEST_F(ForecasterTest, AtIsTheForecastOfATruncatedFile) {
  Forecaster model = fitted();
  const Instant at = series_.stamps[150];
  expect_same_values(model.forecast(file("rows.csv"), {.at = at, .min = {}, .max = {}}),
                     model.forecast(write("early.csv", testing::head(series_, 151), {0, 1})));
}

TEST_F(ForecasterTest, GapsAreLeftToTheForecastUnlessTrainingFilledThem) {
  Forecaster model = fitted();
  Series gap = series_;
  gap.channels[1].values[kRows - 3] = kMissing;
  const SeriesForecast forecast = model.forecast(write("gap.csv", gap, {0, 1}));
  EXPECT_EQ(forecast.channels[0].status, ChannelForecast::Status::kOk);
  EXPECT_EQ(forecast.channels[1].status, ChannelForecast::Status::kSeasonalNaive);
  DataSettings filling = model.reading_settings();
  filling.fill = Fill::kLinear;
  const Repaired repaired = model.read(file("gap.csv"), filling);
  EXPECT_EQ(repaired.repairs,
            std::vector<std::string>{"1 missing value filled with a straight line"});
  EXPECT_TRUE(model.forecast(repaired.series).is_whole());
}

TEST_F(ForecasterTest, PartsAreTheRowsThatTrainingRecorded) {
  Forecaster model = fitted();
  const Series series = model.read(file("rows.csv")).series;
  EXPECT_EQ(model.evaluate(series, Part::kTraining).rows, (RowRange{0, 216}));
  const EvaluatedRows validated = model.evaluate(series, Part::kValidation);
  EXPECT_EQ(validated.rows, (RowRange{216, 240}));
  EXPECT_NEAR(validated.evaluation.model.scaled.overall.mse, model.model().origin.best_validation,
              1e-6);
  EXPECT_EQ(model.evaluate(series, Part::kAll).rows, (RowRange{0, 240}));
  EXPECT_THROW(model.evaluate(series), Error) << "nothing was held out";

  const Series longer = testing::hourly_series(kRows + 20);
  EXPECT_EQ(model.evaluate(longer).rows, (RowRange{240, 260})) << "what the model has not seen";
}

TEST_F(ForecasterTest, PastColumnsAreLeftOutAndATargetMustRemain) {
  Series series = series_;
  series.channels[1].role = Role::kPast;
  const FitOptions options{.refit = false, .threads = 1, .hooks = {}};
  const Forecaster model = Forecaster::fit(series, small_settings(), options);
  ASSERT_EQ(model.model().channels.size(), 1u);
  EXPECT_EQ(model.model().channels[0].name, "a");
  series.channels[0].role = Role::kKnown;
  try {
    Forecaster::fit(series, small_settings(), options);
    ADD_FAILURE() << "fitted nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace pulsecast
