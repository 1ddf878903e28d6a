// Columns that are seen up to now only, as a user has them: one that tells the target ahead.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

constexpr int kRows = 700;
constexpr int kLead = 6;

// Between -1 and 1, and as good as random.
double noise(int row) {
  return std::sin(static_cast<double>(row) * static_cast<double>(row) * 0.7 + row);
}

class PastVerbs : public ModelVerbs {
 protected:
  // Hourly: a column 'signal' and 'load', which is the signal of six hours before. From row
  // `silent` on the signal is not there, and from row `strange` on it is another.
  std::string led(const std::string& name, int silent = kRows, int strange = kRows) const {
    std::string text = "time,load,signal\n";
    for (int row = 0; row < kRows; ++row) {
      const int day = row / 24;
      text += (day < 28 ? "2023-02-" : "2023-03-") + padded(day < 28 ? day + 1 : day - 27) + " " +
              padded(row % 24) + ":00," + std::to_string(10.0 + 2.0 * noise(row)) + ",";
      if (row < silent) text += std::to_string(row < strange ? noise(row + kLead) : 50.0);
      text += "\n";
    }
    return write(name, text);
  }

  static std::string padded(int number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  }

  std::string train_reader(const std::string& flags = "") const {
    const std::string model = folder_.file("led.model");
    const Outcome trained =
        run("train " + led("led.csv") +
            " --target load --past signal --horizon 6 --lookback 24 --threads 1 --out " + model +
            " " + flags);
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
    return model;
  }

  static constexpr const char* kReader =
      "--backbone itransformer --width 16 --heads 2 --layers 1 --feed-forward 16 --epochs 2";
};

TEST_F(PastVerbs, AreReadByAModelThatCan) {
  const std::string model = train_reader(kReader);
  EXPECT_NE(run("inspect " + model).out.find("  past       signal\n"), std::string::npos);
  const json card = inspect("led.model");
  EXPECT_EQ(card["channels"][1]["name"], "signal");
  EXPECT_EQ(card["channels"][1]["role"], "past");
  EXPECT_EQ(card["shape"]["past"], 1);
  EXPECT_EQ(card["version"], 5);
  EXPECT_EQ(run("evaluate " + model + " " + led("led.csv") + " --part validation").exit_code, 0);
}

// What comes after the row from which is forecast changes nothing, and may be missing.
TEST_F(PastVerbs, AreReadUpToTheRowFromWhichIsForecast) {
  const std::string model = train_reader(kReader);
  const std::string flags = " --at '2023-02-25 00:00'";
  const auto forecast_of = [&](const std::string& file) {
    const Outcome outcome = run("forecast " + model + " " + file + flags);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string expected = forecast_of(led("led.csv"));
  constexpr int kOrigin = 24 * 24;
  EXPECT_EQ(forecast_of(led("strange.csv", kRows, kOrigin + 1)), expected);
  EXPECT_EQ(forecast_of(led("silent.csv", kOrigin + 1)), expected);
  EXPECT_NE(forecast_of(led("other.csv", kRows, kOrigin)), expected);
  EXPECT_TRUE(says(run("forecast " + model + " " + led("gap.csv", kOrigin) + flags), 3,
                   "which has no value at 2023-02-25 00:00"));
}

TEST_F(PastVerbs, AFileWithoutThemIsRefused) {
  const std::string model = train_reader(kReader);
  std::string text;
  for (const std::string& line : lines(contents(led("led.csv")))) {
    text += line.substr(0, line.rfind(',')) + "\n";
  }
  EXPECT_TRUE(says(run("forecast " + model + " " + write("bare.csv", text)), 3,
                   "a column that is needed is not there: signal"));
}

TEST_F(PastVerbs, AModelThatCannotReadThemSaysSo) {
  const std::string model = folder_.file("led.model");
  EXPECT_TRUE(says(run("train " + led("led.csv") +
                       " --target load --past signal --horizon 6 --lookback 24 --epochs 1 "
                       "--model dlinear --out " +
                       model),
                   0,
                   "1 past column is left out (signal): dlinear does not read them; itransformer, "
                   "timexer and channel_linear do"));
  EXPECT_EQ(inspect("led.model")["channels"].size(), 1u);
}

// Nothing but the column is said: the search finds out what reading it is worth.
TEST_F(PastVerbs, TheDefaultReadsThemWhereThatPays) {
  const std::string model =
      train_reader("--budget 900steps --batch 32 --width 32 --heads 4 --layers 1 --hidden 16");
  const json card = inspect("led.model");
  EXPECT_EQ(card["version"], 5);
  const json scored = json::parse(
      run("evaluate " + model + " " + led("led.csv") + " --part validation --json").out);
  EXPECT_LT(scored["model"]["scaled"]["mse"].get<double>(), 0.5) << scored.dump().substr(0, 1000);
}

}  // namespace
}  // namespace pulsecast::testing
