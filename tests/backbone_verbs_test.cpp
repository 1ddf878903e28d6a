// Forecasters beside PULSE's own, as a user runs them: the whole way from rows to scores.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

class BackboneVerbs : public ModelVerbs {
 protected:
  nlohmann::json backbones() const {
    const Outcome listed = run("backbones --lookback 48 --horizon 24 --channels 2 --json");
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    return nlohmann::json::parse(listed.out)["backbones"];
  }
};

TEST_F(BackboneVerbs, AreListedWithWhatTheyCost) {
  std::map<std::string, nlohmann::json> all;
  for (const nlohmann::json& backbone : backbones()) all[backbone["backbone"]] = backbone;
  ASSERT_EQ(all.size(), 13u);
  for (const auto& [name, backbone] : all) {
    SCOPED_TRACE(name);
    for (const char* part : {"alone", "with_pulse"}) {
      EXPECT_GT(backbone[part]["milliseconds"], 0.0);
      EXPECT_GT(backbone[part]["memory_bytes"],
                backbone[part]["weights"].get<std::size_t>() * sizeof(float));
    }
    EXPECT_GT(backbone["with_pulse"]["weights"], backbone["alone"]["weights"]);
    EXPECT_GT(backbone["with_pulse"]["flops"], backbone["alone"]["flops"]);
  }
  // Two layers of 48 to 24, for two channels.
  EXPECT_EQ(all["dlinear"]["alone"]["weights"], 2 * (48 * 24 + 24));
  EXPECT_EQ(all["dlinear"]["alone"]["flops"], 2 * 2 * 2 * 48 * 24);
  // A cycle of 24 for two channels, and one layer.
  EXPECT_EQ(all["cyclenet"]["alone"]["weights"], 24 * 2 + 48 * 24 + 24);
  // A kernel of 25 over 48 steps, and 24 phases of two periods to one.
  EXPECT_EQ(all["sparsetsf"]["alone"]["weights"], 25 + 2);
  EXPECT_EQ(all["sparsetsf"]["alone"]["flops"], 2 * 2 * (48 * 25 + 24 * 2));
}

TEST_F(BackboneVerbs, AsATable) {
  const Outcome listed = run("backbones --lookback 24 --horizon 12 --channels 1");
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(std::ranges::count(listed.out, '\n'), 16);
  EXPECT_NE(listed.out.find("24 steps to 12 ahead, 1 channel, on"), std::string::npos);
  EXPECT_TRUE(says(run("backbones --lookback 1"), 2, "--lookback"));
}

// Train, look inside, forecast and score, for every backbone inside PULSE and alone.
TEST_F(BackboneVerbs, EveryBackboneGoesTheWholeWay) {
  const std::string sizes = " --width 8 --heads 2 --layers 1 --feed-forward 8 --skip-channels 4";
  for (const nlohmann::json& listed : backbones()) {
    const std::string backbone = listed["backbone"];
    for (const std::string flag : {"--backbone ", "--model "}) {
      SCOPED_TRACE(flag + backbone);
      const Outcome trained = train("b.model", flag + backbone + sizes);
      ASSERT_EQ(trained.exit_code, 0) << trained.err;
      const nlohmann::json described = inspect("b.model");
      EXPECT_EQ(described["shape"]["backbone"], backbone);
      EXPECT_EQ(described["shape"]["alone"], flag == "--model ");
      EXPECT_EQ(described["settings"]["training"]["loss"][0],
                flag == "--model " ? "mse" : "frequency");
      const Outcome next = forecast("b.model");
      EXPECT_EQ(next.exit_code, 0) << next.err;
      EXPECT_EQ(std::ranges::count(next.out, '\n'), 25) << "a header, and 12 hours of two channels";
      const Outcome scored =
          run("evaluate " + folder_.file("b.model") + " " + rows() + " --part validation");
      EXPECT_EQ(scored.exit_code, 0) << scored.err;
    }
  }
}

TEST_F(BackboneVerbs, AModelAloneHasItsPublishedTrainingAndFlagsWin) {
  ASSERT_EQ(train("d.model", "--model dlinear --patience 7").exit_code, 0);
  const nlohmann::json training = inspect("d.model")["settings"]["training"];
  EXPECT_EQ(training["learning-rate"][0], "0.0001");
  EXPECT_EQ(training["schedule"][0], "halving");
  EXPECT_EQ(training["mixup"][0], "none");
  EXPECT_EQ(training["patience"][0], "7");
}

TEST_F(BackboneVerbs, HeadsThatDoNotDivideTheWidthAreRefused) {
  EXPECT_TRUE(says(train("h.model", "--model itransformer --width 10 --heads 3"), 2,
                   "the number of heads must divide the backbone's width; 3 does not divide 10"));
}

}  // namespace
}  // namespace pulsecast::testing
