// Forecasters beside PULSE's own, as a user runs them: the whole way from rows to scores.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

constexpr const char* kBackbones[] = {"mlp",          "dlinear",  "sparsetsf", "cyclenet",
                                      "itransformer", "patchtst", "timexer",   "timesnet"};

class BackboneVerbs : public ModelVerbs {};

// Train, look inside, forecast and score, for every backbone inside PULSE and alone.
TEST_F(BackboneVerbs, EveryBackboneGoesTheWholeWay) {
  const std::string sizes = " --width 8 --heads 2 --layers 1 --feed-forward 8";
  for (const char* backbone : kBackbones) {
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
