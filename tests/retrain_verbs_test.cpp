// pulsecast train --from and --if-better-than, as a user runs them night after night.

#include <gtest/gtest.h>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class RetrainVerbs : public ModelVerbs {
 protected:
  std::string make(const std::string& name, int rows, int channels) const {
    const std::string file = folder_.file(name);
    EXPECT_EQ(run("data make " + file + " --rows " + std::to_string(rows) + " --channels " +
                  std::to_string(channels) + " --seed 3")
                  .exit_code,
              0);
    return file;
  }
  Outcome train_on(const std::string& rows, const std::string& model,
                   const std::string& flags) const {
    return run("train " + rows + " --out " + folder_.file(model) + " " + flags);
  }
};

TEST_F(RetrainVerbs, BeginsAtTheOlderWeightsAndComparesWithAFreshStart) {
  ASSERT_EQ(train("old.model", "--epochs 3").exit_code, 0);
  const Outcome said = train_on(make("newer.csv", 500, 2), "new.model",
                                "--from " + folder_.file("old.model") + " --threads 1 --json");
  ASSERT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.err.find("weights begin at the older model's\n"), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("the same from a fresh start, to compare"), std::string::npos);
  const json result = json::parse(said.out);
  const double warm = result["starts"]["warm_validation_mse"];
  const double fresh = result["starts"]["fresh_validation_mse"];
  EXPECT_EQ(result["validation_mse"], std::min(warm, fresh));
  EXPECT_EQ(result["starts"]["model_is"], warm <= fresh ? "warm" : "fresh");
  EXPECT_EQ(inspect("new.model")["shape"]["lookback"], 24) << "the older model's settings";
  for (const char* left : {".checkpoint", ".checkpoint.fresh"}) {
    EXPECT_FALSE(std::filesystem::exists(folder_.file("new.model") + left));
  }
}

TEST_F(RetrainVerbs, ANewChannelBeginsAtTheMeanOfTheOthers) {
  ASSERT_EQ(train("old.model").exit_code, 0);
  const std::string wider = make("wider.csv", 400, 3);
  const Outcome said = train_on(wider, "new.model", "--from " + folder_.file("old.model"));
  ASSERT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.err.find("1 new channel begins at the mean of its channels"), std::string::npos)
      << said.err;
  EXPECT_EQ(run("forecast " + folder_.file("new.model") + " " + wider).exit_code, 0);
}

TEST_F(RetrainVerbs, AModelThatIsNotBetterIsNotWritten) {
  const std::string file = make("long.csv", 900, 2);
  const std::string gate = " --if-better-than " + folder_.file("old.model");
  ASSERT_EQ(train_on(file, "old.model", std::string(kTiny) + " --split 0.8,0.1,0.1").exit_code, 0);
  const std::string before = contents(folder_.file("old.model"));
  // The same settings and rows make the same model, which is no better than itself.
  const Outcome same = train_on(file, "old.model", kTiny + gate + " --split 0.8,0.1,0.1");
  EXPECT_TRUE(says(same, 1, "not written: its MSE is 0.00 %"));
  EXPECT_EQ(contents(folder_.file("old.model")), before);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("old.model.checkpoint")));
  const Outcome told = train_on(file, "other.model", kTiny + gate + " --json");
  EXPECT_EQ(json::parse(told.out)["gate"]["is_better"], false) << told.out;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("other.model")));
}

TEST_F(RetrainVerbs, AModelThatIsBetterTakesItsPlace) {
  const std::string file = make("long.csv", 900, 2);
  // One epoch of few weights without a ridge, against one with.
  ASSERT_EQ(
      train_on(file, "old.model", std::string(kTiny) + " --companion none --split 0.8,0.1,0.1")
          .exit_code,
      0);
  const std::string before = contents(folder_.file("old.model"));
  const Outcome said = train_on(file, "old.model",
                                std::string("--lookback 24 --horizon 12 --hidden 8 --epochs 1 ") +
                                    "--if-better-than " + folder_.file("old.model"));
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.err.find("better: its MSE is "), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("the newest tenth of the rows is held out"), std::string::npos);
  EXPECT_NE(contents(folder_.file("old.model")), before);
}

}  // namespace
}  // namespace pulsecast::testing
