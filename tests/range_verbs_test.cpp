// Ranges around forecasts, as a user asks for them and sees them scored.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class RangeVerbs : public ModelVerbs {
 protected:
  // A file with rows enough for validation, calibration and test.
  void SetUp() override {
    static std::string rows, model;
    if (model.empty()) {
      ASSERT_EQ(run("data make " + folder_.file("long.csv") + " --rows 1200 --channels 2 --seed 3")
                    .exit_code,
                0);
      ASSERT_EQ(run("train " + folder_.file("long.csv") + kTiny + " --split 0.6,0.2,0.2 --out " +
                    folder_.file("long.model"))
                    .exit_code,
                0);
      rows = contents(folder_.file("long.csv"));
      model = contents(folder_.file("long.model"));
    }
    write("long.csv", rows);
    write("long.model", model);
  }

  Outcome forecast(const std::string& flags) const {
    return run("forecast " + folder_.file("long.model") + " " + folder_.file("long.csv") + " " +
               flags);
  }
};

TEST_F(RangeVerbs, LevelsAndQuantilesAreColumnsThatDoNotCross) {
  const Outcome outcome = forecast("--level 80,95 --quantile 0.1,0.5,0.9 --non-negative");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> text = lines(outcome.out);
  ASSERT_EQ(text[0],
            "unique_id,ds,cutoff,yhat,status,yhat_lo_80,yhat_hi_80,yhat_lo_95,yhat_hi_95,q_0.1,"
            "q_0.5,q_0.9");
  ASSERT_EQ(text.size(), 1u + 2 * 12);
  for (std::size_t i = 1; i < text.size(); ++i) {
    const std::vector<std::string> row = cells(text[i]);
    const auto value = [&](std::size_t column) { return std::stod(row[column]); };
    EXPECT_LE(value(7), value(5)) << text[i];
    EXPECT_LE(value(5), value(10)) << text[i];
    EXPECT_LE(value(10), value(6)) << text[i];
    EXPECT_LE(value(6), value(8)) << text[i];
    EXPECT_GE(value(7), 0.0) << text[i];
    EXPECT_DOUBLE_EQ(value(5), value(9)) << "80 percent begins at the tenth";
  }
  EXPECT_NE(outcome.err.find("ranges corrected by"), std::string::npos) << outcome.err;
}

TEST_F(RangeVerbs, AreInJsonWideFormAndPictures) {
  const json all = json::parse(forecast("--level 80 --json --quiet").out);
  EXPECT_EQ(all["channels"][0]["yhat_lo_80"].size(), 12u);
  EXPECT_EQ(all["channels"][1]["yhat_hi_80"].size(), 12u);
  const std::vector<std::string> wide = lines(forecast("--wide --level 80 --quiet").out);
  const std::vector<std::string> names = cells(wide[0]);
  ASSERT_EQ(names.size(), 7u) << wide[0];
  EXPECT_TRUE(names[2].ends_with("_lo_80")) << wide[0];
  EXPECT_EQ(cells(wide[1]).size(), 7u);
  const std::string picture = folder_.file("next.svg");
  ASSERT_EQ(forecast("--level 80,95 --plot " + picture).exit_code, 0);
  EXPECT_NE(contents(picture).find("95 %"), std::string::npos);
}

TEST_F(RangeVerbs, EvaluateAndBacktestTellHowMuchTheyHeld) {
  const std::string model = folder_.file("long.model");
  const std::string rows = folder_.file("long.csv");
  const Outcome text = run("evaluate " + model + " " + rows);
  EXPECT_NE(text.out.find("as calibrated"), std::string::npos) << text.out;
  const json evaluated = json::parse(run("evaluate " + model + " " + rows + " --json").out);
  const json past = json::parse(
      run("backtest " + rows + " --model-file " + model + " --stride 1 --per-month --json").out);
  for (const std::size_t i : {0, 1}) {
    for (const std::size_t level : {0, 1}) {
      const json& one = evaluated["ranges"][i]["levels"][level];
      EXPECT_GE(one["coverage"], one["coverage_from"]);
      EXPECT_LE(one["coverage"], one["coverage_to"]);
      EXPECT_EQ(one["per_step"].size(), 12u);
      EXPECT_EQ(one["coverage"], past["ranges"][i]["levels"][level]["coverage"]);
      EXPECT_EQ(one["interval_score"], past["ranges"][i]["levels"][level]["interval_score"]);
      EXPECT_FALSE(past["ranges"][i]["levels"][level]["per_month"].empty());
    }
  }
  const json seen =
      json::parse(run("evaluate " + model + " " + rows + " --part validation --json").out);
  EXPECT_TRUE(seen["ranges"].empty()) << "rows that calibrated ranges say nothing of them";
}

TEST_F(RangeVerbs, RefusalsSayWhatToDo) {
  EXPECT_TRUE(says(forecast("--level 99.9"), 2, "a level is a percentage"));
  EXPECT_TRUE(says(forecast("--level x"), 2, "--level"));
  EXPECT_TRUE(says(forecast("--quantile 95"), 2, "between 0.005 and 0.995"));
  ASSERT_EQ(run("train " + folder_.file("long.csv") + kTiny + " --calibration 0 --out " +
                folder_.file("points.model"))
                .exit_code,
            0);
  EXPECT_TRUE(says(run("forecast " + folder_.file("points.model") + " " + folder_.file("long.csv") +
                       " --level 80"),
                   2, "--calibration 0.5"));
}

// A second training on all rows keeps the ranges of the first.
TEST_F(RangeVerbs, StayWithARefit) {
  ASSERT_EQ(run("train " + folder_.file("long.csv") + kTiny + " --refit --out " +
                folder_.file("refit.model"))
                .exit_code,
            0);
  const Outcome outcome = run("forecast " + folder_.file("refit.model") + " " +
                              folder_.file("long.csv") + " --level 80");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

// Rows enough for a quantile head; the point forecasts of a model with one are those without, to
// the byte.
class HeadVerbs : public ModelVerbs {
 protected:
  void SetUp() override {
    static std::string rows, residual, quantile;
    if (rows.empty()) {
      ASSERT_EQ(run("data make " + folder_.file("long.csv") + " --rows 3000 --channels 2 --seed 3")
                    .exit_code,
                0);
      residual = learnt("residual");
      quantile = learnt("quantile");
      rows = contents(folder_.file("long.csv"));
    }
    write("long.csv", rows);
    write("residual.model", residual);
    write("quantile.model", quantile);
  }

  std::string learnt(const std::string& method, const std::string& flags = kTiny) const {
    const std::string model = folder_.file(method + ".model");
    const Outcome outcome = run("train " + folder_.file("long.csv") + flags +
                                " --split 0.6,0.2,0.2 --intervals " + method + " --out " + model);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return contents(model);
  }

  Outcome with(const std::string& model, const std::string& verb, const std::string& flags) const {
    return run(verb + " " + folder_.file(model + ".model") + " " + folder_.file("long.csv") + " " +
               flags);
  }
};

TEST_F(HeadVerbs, PointForecastsAreTheSameAndQuantilesDoNotCross) {
  EXPECT_EQ(with("residual", "forecast", "--quiet").out,
            with("quantile", "forecast", "--quiet").out);
  const std::string flags = "--level 50,80,95 --quantile 0.5 --quiet";
  const Outcome outcome = with("quantile", "forecast", flags);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out, with("residual", "forecast", flags).out);
  const std::vector<std::string> text = lines(outcome.out);
  ASSERT_EQ(text.size(), 1u + 2 * 12);
  for (std::size_t i = 1; i < text.size(); ++i) {
    const std::vector<std::string> row = cells(text[i]);
    const auto value = [&](std::size_t column) { return std::stod(row[column]); };
    for (const auto& [low, high] : {std::pair{9, 7}, {7, 5}, {5, 11}, {11, 6}, {6, 8}, {8, 10}}) {
      EXPECT_LE(value(low), value(high)) << text[i];
    }
  }
  const Outcome threads = with("quantile", "forecast", flags + " --threads 2");
  EXPECT_EQ(threads.out, outcome.out);
  EXPECT_EQ(contents(folder_.file("quantile.model")),
            learnt("quantile", std::string(kTiny).substr(0, std::string(kTiny).find(" --threads")) +
                                   " --threads 3"))
      << "the same bytes on any number of threads";
}

TEST_F(HeadVerbs, EvaluateAndBacktestSayTheSameOfThem) {
  const json evaluated = json::parse(with("quantile", "evaluate", "--json").out);
  const json past = json::parse(run("backtest " + folder_.file("long.csv") + " --model-file " +
                                    folder_.file("quantile.model") + " --stride 1 --json")
                                    .out);
  ASSERT_EQ(evaluated["ranges"].size(), 2u);
  for (const std::size_t i : {0, 1}) {
    for (const std::size_t level : {0, 1}) {
      const json& one = evaluated["ranges"][i]["levels"][level];
      const json& other = past["ranges"][i]["levels"][level];
      EXPECT_EQ(one["coverage"], other["coverage"]);
      EXPECT_EQ(one["interval_score"], other["interval_score"]);
      EXPECT_NEAR(one["coverage"].get<double>(), level == 0 ? 0.8 : 0.95, 0.08);
    }
  }
}

TEST_F(HeadVerbs, TheMethodIsSaidAndWhy) {
  EXPECT_NE(
      run("inspect " + folder_.file("quantile.model")).out.find("intervals quantile: as told"),
      std::string::npos)
      << run("inspect " + folder_.file("quantile.model")).out;
  ASSERT_EQ(run("train " + folder_.file("long.csv") + kTiny + " --split 0.6,0.2,0.2 --out " +
                folder_.file("few.model"))
                .exit_code,
            0);
  const std::string few = run("inspect " + folder_.file("few.model")).out;
  EXPECT_NE(few.find("a quantile head takes 199 windows that calibrate and 398"), std::string::npos)
      << few;
  EXPECT_TRUE(says(run("train " + folder_.file("long.csv") + kTiny + " --intervals both"), 2,
                   "residual, quantile"));
}

// A search's blend, a model that is trained again on all rows, and one with known columns' effects
// have them too.
TEST_F(HeadVerbs, BlendsAndRefitsHaveThem) {
  const std::string search =
      " --quiet --lookback 24 --horizon 12 --threads 1 --budget 40steps --refit";
  learnt("quantile", search);
  const Outcome outcome = with("quantile", "forecast", "--level 80 --non-negative");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(lines(outcome.out)[0].find("yhat_lo_80"), std::string::npos);
  const std::string inspected = run("inspect " + folder_.file("quantile.model")).out;
  EXPECT_NE(inspected.find("intervals quantile"), std::string::npos) << inspected;
}

}  // namespace
}  // namespace pulsecast::testing
