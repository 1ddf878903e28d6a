#include "pulsecast/forecaster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <thread>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/testing.h"
#include "pulsecast/base/thread_pool.h"
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

FitOptions alone() { return {.threads = Threads()}; }

class ForecasterTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

  // The series as CSV, columns in the order that `columns` gives.
  static std::string csv(const Series& series, const std::vector<std::size_t>& columns,
                         const std::string& more = "") {
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
    return text;
  }
  std::string write(const std::string& name, const Series& series,
                    const std::vector<std::size_t>& columns, const std::string& more = "") const {
    write_file(file(name), std::string_view(csv(series, columns, more)));
    return file(name);
  }

  std::shared_ptr<const Model> fitted() const {
    return fit(write("rows.csv", series_, {0, 1}), small_settings(), alone());
  }

  const Series series_ = testing::hourly_series(kRows);
  pulsecast::testing::TemporaryFolder folder_;
};

void expect_same_values(const SeriesForecast& found, const SeriesForecast& expected) {
  EXPECT_EQ(to_long_csv(found, true), to_long_csv(expected, true));
}

// What a call throws, which must be an Error.
template <typename Call>
std::string refusal(Call&& call, ErrorKind kind) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

TEST_F(ForecasterTest, AModelFileIsTheModel) {
  const auto model = fitted();
  ASSERT_NE(model->fitted(), nullptr);
  EXPECT_EQ(model->card().origin.data_source, "rows.csv");
  model->save(file("rows.model"));
  const auto again = Model::load(file("rows.model"));
  EXPECT_EQ(again->fitted(), nullptr);
  expect_same_values(again->forecast(file("rows.csv")), model->forecast(file("rows.csv")));
  expect_same_values(again->forecast(again->read(file("rows.csv"))),
                     model->forecast(file("rows.csv")));
}

TEST_F(ForecasterTest, BytesOfAModelAreTheModel) {
  const auto model = fitted();
  model->save(file("rows.model"));
  std::ifstream stream(file("rows.model"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(model->to_bytes(), bytes);
  expect_same_values(Model::from_bytes(bytes)->forecast(file("rows.csv")),
                     model->forecast(file("rows.csv")));
  EXPECT_NE(refusal([&] { Model::from_bytes(bytes.substr(0, 100), "from the wire"); },
                    ErrorKind::kModelFile)
                .find("from the wire"),
            std::string::npos);
  refusal([&] { Model::from_bytes(""); }, ErrorKind::kModelFile);
}

TEST_F(ForecasterTest, TheCardSaysWhatTheModelIs) {
  const auto model = fitted();
  const ModelCard& card = model->card();
  EXPECT_EQ(card.title, "PULSE with mlp");
  EXPECT_EQ(card.lookback, 24u);
  EXPECT_EQ(card.horizon, 6u);
  EXPECT_EQ(card.period, 24u);
  EXPECT_EQ(card.step.to_string(), "1h");
  EXPECT_EQ(card.channels, (std::vector<artifact::ChannelInfo>{{"a"}, {"b"}}));
  EXPECT_GT(card.weights, 0u);
  EXPECT_EQ(card.origin.written_by, "pulsecast " + std::string(version()));
  EXPECT_EQ(card.settings.data.horizon, "6");
}

// As `pulsecast train --backbone patchtst` does, and the model file says with what.
TEST_F(ForecasterTest, ABackboneIsTrainedAsItNeeds) {
  Settings settings = small_settings();
  settings.model.backbone = BackboneKind::kPatchTst;
  settings.model.layers = 1;
  fit(write("rows.csv", series_, {0, 1}), settings, alone())->save(file("rows.model"));
  const artifact::Model model = artifact::load_model(file("rows.model"));
  EXPECT_EQ(model.settings.training.batch, 128);
  EXPECT_EQ(model.settings.training.learning_rate, 0.001);
  EXPECT_EQ(model.settings.training.patience, 5);
  EXPECT_EQ(model.settings.training.epochs, 1) << "that was told";
  EXPECT_EQ(model.settings.model.width, 128);
  EXPECT_EQ(model.settings.model.layers, 1) << "that was told";
  EXPECT_DOUBLE_EQ(model.origin.history.front().learning_rate, 0.001 / 25) << "the first epoch's";
  EXPECT_EQ(model.shape().sizes.width, 128u);
}

TEST_F(ForecasterTest, FilesWithTheSameColumnsGiveTheSameForecast) {
  const auto model = fitted();
  const SeriesForecast expected = model->forecast(file("rows.csv"));
  ASSERT_EQ(expected.stamps.size(), 6u) << "six hours";
  expect_same_values(model->forecast(write("swapped.csv", series_, {1, 0})), expected);
  expect_same_values(model->forecast(write("more.csv", series_, {1, 0}, "note")), expected);
  expect_same_values(model->forecast(write("newest.csv", testing::tail(series_, 200), {0, 1})),
                     expected);
  EXPECT_NE(refusal([&] { model->forecast(write("less.csv", series_, {1})); }, ErrorKind::kData)
                .find("not there: a"),
            std::string::npos);
}

// Channels are found by their names wherever rows come from: in another order, beside others, with
// other roles.
TEST_F(ForecasterTest, RowsFromMemoryAreAlignedByName) {
  const auto model = fitted();
  const SeriesForecast expected = model->forecast(file("rows.csv"));
  expect_same_values(model->forecast(Observations(series_)), expected);
  Series swapped = series_;
  std::swap(swapped.channels[0], swapped.channels[1]);
  expect_same_values(model->forecast(Observations(swapped)), expected);
  swapped.channels.push_back({"weather", Role::kPast, std::vector<double>(kRows, 1.0)});
  swapped.channels.insert(swapped.channels.begin(),
                          {"other", Role::kTarget, std::vector<double>(kRows, 5.0)});
  expect_same_values(model->forecast(Observations(swapped)), expected);
  expect_same_values(model->forecast(Observations::parse(csv(series_, {1, 0}))), expected);
  const EvaluatedRows scored = model->evaluate(Observations(series_), Part::kAll);
  EXPECT_EQ(model->evaluate(Observations(swapped), Part::kAll).evaluation.model.scaled.overall.mse,
            scored.evaluation.model.scaled.overall.mse);

  Series less = series_;
  less.channels.pop_back();
  EXPECT_NE(
      refusal([&] { model->forecast(Observations(less)); }, ErrorKind::kData).find("not there: b"),
      std::string::npos);
  Series other_step = series_;
  other_step.step = Step::parse("2h");
  EXPECT_NE(refusal([&] { model->forecast(Observations(other_step)); }, ErrorKind::kData)
                .find("steps of 1h"),
            std::string::npos);
}

TEST_F(ForecasterTest, FramesOfAnyShapeAreTheSameRows) {
  const auto model = fitted();
  const SeriesForecast expected = model->forecast(file("rows.csv"));
  const std::vector<double>& a = series_.channels[0].values;
  const std::vector<double>& b = series_.channels[1].values;
  std::vector<std::int64_t> stamps;
  std::vector<std::string> texts;
  std::vector<double> by_row;
  for (std::size_t row = 0; row < kRows; ++row) {
    stamps.push_back(series_.stamps[row].milliseconds);
    texts.push_back(to_text(series_.stamps[row], series_.zone));
    by_row.insert(by_row.end(), {b[row], a[row]});
  }
  expect_same_values(
      model->forecast(model->take(Frame("meters").stamps(stamps).column("b", b).column("a", a))),
      expected);
  expect_same_values(model->forecast(model->take(Frame().stamps(texts).rows({"b", "a"}, by_row))),
                     expected);
  expect_same_values(
      model->forecast(model->take(Frame().stamps(series_.stamps).rows({"b", "a"}, by_row))),
      expected);
}

TEST_F(ForecasterTest, LongFramesAreASeriesAnId) {
  std::vector<std::int64_t> stamps;
  std::vector<std::string> ids;
  std::vector<float> sold;
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t c = 0; c < 2; ++c) {
      stamps.push_back(series_.stamps[row].milliseconds);
      ids.push_back(series_.channels[c].name);
      sold.push_back(static_cast<float>(series_.channels[c].values[row]));
    }
  }
  DataSettings settings;
  const Observations rows =
      Observations::take(Frame().stamps(stamps).ids(ids).column("sold", sold), settings);
  EXPECT_TRUE(rows.is_long());
  ASSERT_EQ(rows.channels(), 2u);
  EXPECT_EQ(rows.name(0), "a");
  EXPECT_EQ(rows.rows(), kRows);
  const auto model = fit(rows.clone(), small_settings(), alone());
  EXPECT_EQ(model->card().settings.data.layout, Layout::kLong);
  EXPECT_TRUE(model->forecast(rows).is_whole());
  // Series of a model are aligned by name too: those of another order, and one more.
  ids.insert(ids.end(), kRows, "c");
  for (std::size_t row = 0; row < kRows; ++row) {
    stamps.push_back(series_.stamps[row].milliseconds);
    sold.push_back(1.0f);
  }
  expect_same_values(
      model->forecast(model->take(Frame().stamps(stamps).ids(ids).column("sold", sold))),
      model->forecast(rows));
}

TEST_F(ForecasterTest, FramesThatCannotBeAreRefused) {
  const std::vector<std::int64_t> stamps = {0, 3'600'000, 7'200'000};
  const std::vector<double> three = {1, 2, 3};
  const std::vector<double> two = {1, 2};
  EXPECT_NE(refusal([&] { Observations::take(Frame().stamps(stamps).column("a", two)); },
                    ErrorKind::kUsage)
                .find("column 'a'"),
            std::string::npos);
  refusal([&] { Frame().rows({"a", "b"}, three); }, ErrorKind::kUsage);
  refusal([&] { Observations::take(Frame().column("a", three)); }, ErrorKind::kUsage);
  refusal([&] { Observations::take(Frame().stamps(stamps)); }, ErrorKind::kData);
  const std::vector<std::int64_t> none;
  refusal([&] { Observations::take(Frame().stamps(none).column("a", std::vector<double>{})); },
          ErrorKind::kData);
  const std::vector<std::int64_t> far = {0, std::numeric_limits<std::int64_t>::max(), 5};
  refusal([&] { Observations::take(Frame().stamps(far).column("a", three)); }, ErrorKind::kData);
  const std::vector<double> infinite = {1, std::numeric_limits<double>::infinity(), 3};
  refusal([&] { Observations::take(Frame().stamps(stamps).column("a", infinite)); },
          ErrorKind::kData);
  const std::vector<std::int64_t> twice = {0, 3'600'000, 3'600'000};
  refusal([&] { Observations::take(Frame().stamps(twice).column("a", three)); }, ErrorKind::kData);
  DataSettings settings;
  settings.target = {"load"};
  EXPECT_NE(
      refusal([&] { Observations::take(Frame().stamps(stamps).column("a", three), settings); },
              ErrorKind::kUsage)
          .find("load"),
      std::string::npos);
  settings = {};
  settings.start = "2024-01-01";
  settings.step = "1h";
  EXPECT_EQ(Observations::take(Frame().column("a", three), settings).rows(), 3u);
}

TEST_F(ForecasterTest, AtIsTheForecastOfATruncatedFile) {
  const auto model = fitted();
  const Instant at = series_.stamps[150];
  expect_same_values(model->forecast(file("rows.csv"), {.at = at}),
                     model->forecast(write("early.csv", testing::head(series_, 151), {0, 1})));
}

TEST_F(ForecasterTest, ManyOriginsAreTheForecastsOfEach) {
  const auto model = fitted();
  const Observations rows(series_);
  Session session(model);
  const std::vector<SeriesForecast> all =
      session.forecast(rows, series_.stamps.front(), series_.stamps.back());
  ASSERT_EQ(all.size(), kRows - 23) << "every row that has a look-back";
  for (std::size_t i = 0; i < all.size(); i += 17) {
    SCOPED_TRACE(i);
    const SeriesForecast one = session.forecast(rows, {.at = series_.stamps[i + 23]});
    EXPECT_EQ(all[i].cutoff, one.cutoff);
    EXPECT_EQ(all[i].stamps, one.stamps);
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t h = 0; h < 6; ++h) {
        EXPECT_NEAR(all[i].channels[c].values[h], one.channels[c].values[h], 1e-4);
      }
    }
  }
  const std::vector<Instant> origins = {series_.stamps[99], series_.stamps[50], series_.stamps[99]};
  const std::vector<SeriesForecast> some = session.forecast(rows, origins);
  ASSERT_EQ(some.size(), 3u);
  EXPECT_EQ(some[0].cutoff, origins[0]);
  EXPECT_EQ(some[1].cutoff, origins[1]);
  expect_same_values(some[2], some[0]);
  EXPECT_TRUE(session.forecast(rows, series_.stamps[10], series_.stamps[5]).empty());
}

TEST_F(ForecasterTest, AppendedRowsAreRowsOfTheFile) {
  const auto model = fitted();
  Observations rows(testing::head(series_, 200));
  Session session(model);
  for (std::size_t row = 200; row < kRows; ++row) {
    const std::vector<double> values = {series_.channels[0].values[row],
                                        series_.channels[1].values[row]};
    rows.append(series_.stamps[row], values);
    expect_same_values(session.forecast(rows),
                       Session(model).forecast(Observations(testing::head(series_, row + 1))));
  }
  const std::vector<double> values = {1.0, 2.0};
  const std::string message =
      refusal([&] { rows.append(series_.stamps.back(), values); }, ErrorKind::kData);
  EXPECT_NE(message.find("2024-01-11 00:00:00"), std::string::npos) << message;
  refusal([&] { rows.append(series_.stamps.back(), std::vector<double>{1.0}); }, ErrorKind::kUsage);
  EXPECT_EQ(rows.rows(), kRows);
}

TEST_F(ForecasterTest, GapsAreLeftToTheForecastUnlessTrainingFilledThem) {
  const auto model = fitted();
  Series gap = series_;
  gap.channels[1].values[kRows - 3] = kMissing;
  const SeriesForecast forecast = model->forecast(write("gap.csv", gap, {0, 1}));
  EXPECT_EQ(forecast.channels[0].status, ChannelForecast::Status::kOk);
  EXPECT_EQ(forecast.channels[1].status, ChannelForecast::Status::kSeasonalNaive);
  DataSettings filling = model->reading_settings();
  filling.fill = Fill::kLinear;
  const Observations filled = model->read(file("gap.csv"), filling);
  EXPECT_EQ(filled.repairs(),
            std::vector<std::string>{"1 missing value filled with a straight line"});
  EXPECT_TRUE(model->forecast(filled).is_whole());
}

TEST_F(ForecasterTest, PartsAreTheRowsThatTrainingRecorded) {
  Settings whole = small_settings();
  whole.training.calibration = 0.0;  // every row of validation chooses the epoch
  const auto model = fit(write("rows.csv", series_, {0, 1}), whole, alone());
  const Observations rows = model->read(file("rows.csv"));
  EXPECT_EQ(model->evaluate(rows, Part::kTraining).rows, (RowRange{0, 216}));
  const EvaluatedRows validated = model->evaluate(rows, Part::kValidation);
  EXPECT_EQ(validated.rows, (RowRange{216, 240}));
  EXPECT_NEAR(validated.evaluation.model.scaled.overall.mse, model->card().origin.best_validation,
              1e-6);
  EXPECT_EQ(model->evaluate(rows, Part::kAll).rows, (RowRange{0, 240}));
  refusal([&] { model->evaluate(rows); }, ErrorKind::kData);

  const Observations longer(testing::hourly_series(kRows + 20));
  EXPECT_EQ(model->evaluate(longer).rows, (RowRange{240, 260})) << "what the model has not seen";
}

TEST_F(ForecasterTest, PastColumnsAreLeftOutAndATargetMustRemain) {
  Series series = series_;
  series.channels[1].role = Role::kPast;
  const auto model = fit(Observations(series), small_settings(), alone());
  ASSERT_EQ(model->card().channels.size(), 1u);
  EXPECT_EQ(model->card().channels[0].name, "a");
  Settings reads = small_settings();
  reads.model.backbone = BackboneKind::kITransformer;
  reads.model.width = 8;
  reads.model.heads = 2;
  reads.model.feed_forward = 8;
  const auto reader = fit(Observations(series), reads, alone());
  ASSERT_EQ(reader->card().channels.size(), 2u);
  EXPECT_EQ(reader->card().channels[1].role, Role::kPast);
  const auto loaded = Model::from_bytes(reader->to_bytes(), "m");
  EXPECT_EQ(to_long_csv(loaded->forecast(Observations(series)), false),
            to_long_csv(reader->forecast(Observations(series)), false));
  // A series that has it all the same is no obstacle.
  EXPECT_TRUE(model->forecast(Observations(series)).is_whole());
  series.channels[0].role = Role::kKnown;
  refusal([&] { fit(Observations(series), small_settings(), alone()); }, ErrorKind::kUsage);
}

// Forecasts of one model by many threads at once, through sessions of their own and through the
// model: all the same bits. A test of the thread sanitizer above all.
TEST_F(ForecasterTest, ManyThreadsShareAModel) {
#ifdef PULSECAST_SANITIZED
  constexpr int kThreads = 16;
  constexpr int kTimes = 40;
#else
  constexpr int kThreads = 8;
  constexpr int kTimes = 200;
#endif
  const auto model = fitted();
  const Observations rows(series_);
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 24; ++i) {
    expected.push_back(to_long_csv(model->forecast(rows, {.at = series_.stamps[100 + i]}), true));
  }
  const Threads shared(2);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Session session(model, t % 2 == 0 ? shared : Threads());
      for (int i = 0; i < kTimes; ++i) {
        const std::size_t which = static_cast<std::size_t>(i * 7 + t) % 24;
        const ForecastOptions options{.at = series_.stamps[100 + which]};
        const SeriesForecast found =
            i % 3 == 0 ? model->forecast(rows, options) : session.forecast(rows, options);
        wrong += to_long_csv(found, true) != expected[which];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(ForecasterTest, CallsTellOfThemselvesAndCanBeStopped) {
  std::vector<std::string> stages;
  Watch watch{.on_progress = [&](const Progress& progress) {
    if (progress.total != 0) {
      EXPECT_LE(progress.done, progress.total);
    }
    if (stages.empty() || stages.back() != progress.stage) stages.emplace_back(progress.stage);
  }};
  FitOptions options = alone();
  options.watch = watch;
  const auto model = fit(write("rows.csv", series_, {0, 1}), small_settings(), options);
  EXPECT_EQ(stages, (std::vector<std::string>{"reading", "training", "validation", "calibration"}));
  stages.clear();
  const Observations rows = model->read(file("rows.csv"), Threads(), watch);
  model->evaluate(rows, Part::kAll, Threads(), watch);
  Session session(model);
  session.forecast(rows, series_.stamps.front(), series_.stamps.back(), {}, watch);
  EXPECT_EQ(stages, (std::vector<std::string>{"reading", "evaluation", "forecasting"}));

  Watch stopped{.is_cancelled = [] { return true; }};
  options.watch = stopped;
  refusal([&] { fit(file("rows.csv"), small_settings(), options); }, ErrorKind::kInterrupted);
  refusal([&] { fit(Observations(series_), small_settings(), options); }, ErrorKind::kInterrupted);
  refusal([&] { model->read(file("rows.csv"), Threads(), stopped); }, ErrorKind::kInterrupted);
  refusal([&] { model->evaluate(rows, Part::kAll, Threads(), stopped); }, ErrorKind::kInterrupted);
  refusal(
      [&] { session.forecast(rows, series_.stamps.front(), series_.stamps.back(), {}, stopped); },
      ErrorKind::kInterrupted);
}

TEST_F(ForecasterTest, NothingButErrorsComeOut) {
  Watch throwing{.on_progress = [](const Progress&) { throw std::runtime_error("from outside"); }};
  EXPECT_NE(refusal(
                [&] {
                  Observations::read(write("rows.csv", series_, {0, 1}), {}, {}, throwing);
                },
                ErrorKind::kInputOutput)
                .find("from outside"),
            std::string::npos);
  refusal([] { Model::load("/nowhere/at/all.model"); }, ErrorKind::kInputOutput);
  refusal([] { Observations::read("/nowhere/at/all.csv"); }, ErrorKind::kInputOutput);
}

TEST(Version, IsThatOfTheProject) { EXPECT_FALSE(version().empty()); }

// Wide rows with gaps that stay: channels that a window lacks are left out of it, not the window.
TEST_F(ForecasterTest, GapsOfOneChannelDoNotTakeWindowsFromTheOthers) {
  Series series = testing::hourly_series(kRows);
  for (std::size_t row = 5; row < kRows; row += 20) series.channels[0].values[row] = kMissing;
  Settings settings = small_settings();
  settings.data.fill = Fill::kNone;
  const auto model = fit(Observations(std::move(series)), settings, alone());
  EXPECT_GT(model->card().origin.training_windows, 100u);
  EXPECT_TRUE(std::isfinite(model->card().origin.best_validation));
}

}  // namespace
}  // namespace pulsecast
