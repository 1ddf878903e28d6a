// pulsecast backtest, as a user runs it: tables, a kill at any moment, what is refused.

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class BacktestVerb : public ModelVerbs {
 protected:
  void SetUp() override {
    static std::string model;
    if (model.empty()) {
      ASSERT_EQ(train("test.model", "--split 0.6,0.2,0.2").exit_code, 0);
      model = contents(folder_.file("test.model"));
    }
    write("test.model", model);
  }

  Outcome backtest(const std::string& flags) const { return run("backtest " + rows() + flags); }
  std::string with_model() const { return " --model-file " + folder_.file("test.model"); }
};

TEST_F(BacktestVerb, HasTheNumbersOfEvaluateOverTheSameWindows) {
  const json past = json::parse(backtest(with_model() + " --json").out);
  const json scored =
      json::parse(run("evaluate " + folder_.file("test.model") + " " + rows() + " --json").out);
  EXPECT_EQ(past["origins"], scored["windows"]);
  EXPECT_EQ(past["contenders"][0]["overall"]["mse"], scored["model"]["scaled"]["mse"]);
  for (std::size_t i = 0; i < scored["baselines"].size(); ++i) {
    EXPECT_EQ(past["contenders"][i + 1]["overall"]["mae"], scored["baselines"][i]["scaled"]["mae"]);
  }
  EXPECT_EQ(past["contenders"][0]["per_step"].size(), 12u);
}

TEST_F(BacktestVerb, PrintsTablesAndWhetherADifferenceIsReal) {
  const Outcome said = backtest(with_model() + " --stride 6 --per-channel --per-step --per-month");
  ASSERT_EQ(said.exit_code, 0) << said.err;
  for (const char* words :
       {"12 origins 6 rows apart", "sMAPE", "MASE@24", "RMSSE@24", "bias", "seasonal naive (day)",
        "than naive: MSE", "\nchannel ", "\nc1 ", "\nstep ", "\n12 ", "\nmonth ", "2024-01",
        "Drift: squared errors of the latest 10 origins beside those of seasonal naive (day)"}) {
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
  }
}

TEST_F(BacktestVerb, ItsForecastsCanBeHeldAgainstAnother) {
  const std::string out = folder_.file("past.csv");
  ASSERT_EQ(backtest(with_model() + " --quiet --out " + out).exit_code, 0);
  EXPECT_TRUE(contents(out).starts_with("unique_id,ds,cutoff,yhat,status\nc1,"));
  const Outcome said = backtest(with_model() + " --against " + out);
  EXPECT_NE(said.out.find("no different than " + out), std::string::npos) << said.out << said.err;
  const Outcome beside = backtest(with_model() + " --against " + folder_.file("test.model"));
  EXPECT_NE(beside.out.find("no different than"), std::string::npos) << beside.out << beside.err;
}

TEST_F(BacktestVerb, KilledAtAnyMomentItEndsWithTheSameBytes) {
  const std::string run_it =
      std::string(kTiny) + " --epochs 12 --stride 3 --origins 20 --refit-every 4 --out ";
  const std::string whole = folder_.file("whole.csv");
  ASSERT_EQ(backtest(run_it + whole).exit_code, 0);
  const std::string part = folder_.file("part.csv");
  int kills = 0;
  for (const int moment : {30, 80, 160, 50, 240, 120}) {
    const pid_t child = start("backtest " + rows() + run_it + part + " --resume");
    pause(moment);
    kill(child, SIGKILL);
    if (WIFSIGNALED(wait_for(child))) ++kills;
  }
  EXPECT_GT(kills, 0);
  const Outcome last = backtest(run_it + part + " --resume");
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(contents(part), contents(whole));
  EXPECT_FALSE(std::filesystem::exists(part + ".journal"));
  EXPECT_FALSE(std::filesystem::exists(part + ".latest.model"));
}

TEST_F(BacktestVerb, WhatWouldChangeNothingIsRefused) {
  EXPECT_TRUE(says(backtest(with_model() + " --horizon 6"), 2, "the model was trained with"));
  EXPECT_TRUE(says(backtest(with_model() + " --resume"), 2, "there is nothing to go on from"));
  EXPECT_TRUE(says(backtest(std::string(kTiny) + " --part all"), 2, "--part is for --model-file"));
  EXPECT_TRUE(says(backtest(with_model() + " --history last"), 2, "a number of rows; got 'last'"));
  EXPECT_TRUE(says(backtest(with_model() + " --history 100"), 2, "nothing is trained again"));
  EXPECT_TRUE(says(backtest(with_model() + " --stride 0"), 2, "at least one row apart"));
  EXPECT_TRUE(says(backtest(std::string(kTiny) + " --origins 900"), 3, "to learn from"));
}

}  // namespace
}  // namespace pulsecast::testing
