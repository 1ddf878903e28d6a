// Columns known in advance, as a user has them: a price and holidays that do what they are said to.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

// 900 days of a level of about 8 with a week: a price of 1 adds 0.3 of the level, a holiday takes
// 0.4, and noise is 0.025 of it. As much as +60, -80 and 5 are of a level of 200.
constexpr double kNoise = 0.025;

class KnownVerbs : public ModelVerbs {
 protected:
  std::string sales(const std::string& flags = "") const {
    const std::string file = folder_.file("sales.csv");
    EXPECT_EQ(run("data make " + file +
                  " --step 1d --rows 900 --channels 1 --trend 0 --weekly 0.2 --price 0.3 "
                  "--holiday=-0.4 --noise 0.025 --ahead 14 --seed 5 " +
                  flags)
                  .exit_code,
              0);
    return file;
  }

  // What shapes, effects and noise are in units of.
  double level() const {
    const Outcome plain =
        run("data make - --step 1d --rows 1 --channels 1 --trend 0 --weekly 0 --noise 0 --seed 5");
    return std::stod(cells(lines(plain.out)[1])[1]);
  }

  // The rows with the holidays from row `from` on set to `value`.
  std::string with_holidays(const std::string& file, std::size_t from,
                            const std::string& value) const {
    std::string text;
    std::size_t row = 0;  // of the header
    for (const std::string& line : lines(contents(file))) {
      text += row > from ? line.substr(0, line.rfind(',') + 1) + value : line;
      text += '\n';
      ++row;
    }
    return write("holidays.csv", text);
  }

  std::vector<double> forecast_values(const std::string& model, const std::string& file) const {
    const Outcome outcome = run("forecast " + folder_.file(model) + " " + file);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<double> values;
    for (const std::string& line : lines(outcome.out)) {
      if (!line.starts_with("unique_id")) values.push_back(std::stod(cells(line)[3]));
    }
    return values;
  }

  static constexpr const char* kFlags =
      " --known price,holiday --horizon 14 --split 0.7,0.1,0.2 --threads 1 --quiet --out ";
};

// Least squares on weekday, price and holiday leaves the noise and the little that its nine weights
// cost; ours must come within 1.3 of that, in units of the level.
TEST_F(KnownVerbs, ErrorsAreNearlyThoseOfLeastSquares) {
  const std::string file = sales();
  for (const char* model : {"", " --model linear", " --model dlinear --learning-rate 0.01"}) {
    SCOPED_TRACE(model);
    const std::string path = folder_.file("sales.model");
    ASSERT_EQ(run("train " + file + kFlags + path + model).exit_code, 0);
    const json scored = json::parse(run("evaluate " + path + " " + file + " --json").out);
    const double rmse = scored["model"]["original"]["rmse"];
    EXPECT_LT(rmse * rmse, 1.3 * std::pow(kNoise * level(), 2)) << scored.dump().substr(0, 2000);
  }
}

// What is shown of a window is what the model sees: the target without effects.
TEST_F(KnownVerbs, ThePageOfSuchAModelIsMade) {
  const std::string file = sales();
  const std::string path = folder_.file("sales.model");
  ASSERT_EQ(run("train " + file + kFlags + path + " --epochs 1 --hidden 8").exit_code, 0);
  const Outcome made = run("report " + path + " " + file + " --out " + folder_.file("page.html"));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_GT(contents(folder_.file("page.html")).size(), 10'000u);
}

// A forecast moves by what a holiday does, and the parts add up.
TEST_F(KnownVerbs, AHolidayMovesTheForecastByItsEffect) {
  const std::string file = sales();
  ASSERT_EQ(run("train " + file + kFlags + folder_.file("sales.model")).exit_code, 0);
  const std::string inspected = run("inspect " + folder_.file("sales.model")).out;
  EXPECT_NE(inspected.find("effect     holiday from 0 to 1: -"), std::string::npos) << inspected;
  const json effects = inspect("sales.model")["effects"];
  EXPECT_NEAR(effects[1]["change"].get<double>(), -0.4 * level(), 0.02 * level());

  const auto usual = forecast_values("sales.model", with_holidays(file, 900, "0"));
  const auto holiday = forecast_values("sales.model", with_holidays(file, 900, "1"));
  ASSERT_EQ(usual.size(), 14u);
  for (std::size_t h = 0; h < 14; ++h) {
    EXPECT_NEAR(holiday[h] - usual[h], -0.4 * level(), 0.04 * level());
  }
  // Where days of the past are holidays too, what they sold is what holidays sell: nothing moves.
  const auto always = forecast_values("sales.model", with_holidays(file, 0, "1"));
  const auto never = forecast_values("sales.model", with_holidays(file, 0, "0"));
  for (std::size_t h = 0; h < 14; ++h) EXPECT_NEAR(always[h], never[h], 0.04 * level());

  const Outcome parts =
      run("forecast " + folder_.file("sales.model") + " " + file + " --components");
  const auto header = cells(lines(parts.out)[0]);
  EXPECT_EQ(header.back(), "effect");
  for (std::size_t h = 1; h <= 14; ++h) {
    const auto values = cells(lines(parts.out)[h]);
    EXPECT_NEAR(std::stod(values[3]),
                std::stod(values[5]) + std::stod(values[6]) + std::stod(values[8]), 1e-4 * level());
  }
}

TEST_F(KnownVerbs, APanelSharesEffects) {
  const std::string file = folder_.file("shops.csv");
  ASSERT_EQ(run("data make " + file +
                " --long --step 1d --rows 300 --shortest 200 --channels 40 --trend 0 --price 0.3 "
                "--holiday=-0.4 --noise 0.025 --ahead 14 --seed 5")
                .exit_code,
            0);
  const std::string model = folder_.file("shops.model");
  const Outcome trained = run("train " + file +
                              " --known price,holiday --horizon 14 --hidden 16 --epochs 2 "
                              "--threads 1 --out " +
                              model);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.err.find("effects of price, holiday: they explain 9"), std::string::npos)
      << trained.err;
  const Outcome forecast = run("forecast " + model + " " + file + " --components");
  EXPECT_LE(forecast.exit_code, 1) << forecast.err;
  EXPECT_GT(lines(forecast.out).size(), 30u * 14u);
}

TEST_F(KnownVerbs, WhatAModelDoesNotReadIsRefused) {
  const std::string file = sales();
  EXPECT_TRUE(says(run("train " + file + kFlags + folder_.file("a.model") +
                       " --model dlinear --known-as features"),
                   2, "reads no calendar features"));
}

}  // namespace
}  // namespace pulsecast::testing
