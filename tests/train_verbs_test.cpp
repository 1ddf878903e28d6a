// pulsecast train, as a user runs it: choices, refusals, Ctrl-C, and a power cut at any moment.

#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class TrainVerb : public ModelVerbs {
 protected:
  bool wait_until_exists(const std::string& name) const {
    for (int i = 0; i < 2000 && !std::filesystem::exists(folder_.file(name)); ++i) pause(5);
    return std::filesystem::exists(folder_.file(name));
  }
};

TEST_F(TrainVerb, NeedsNothingButAHorizonAndSaysWhatItChose) {
  const Outcome trained = run("train " + rows() + " --horizon 12 --epochs 1 --hidden 8 --out " +
                              folder_.file("a.model"));
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  for (const char* words :
       {"Chosen from the data:", "period         24", "lookback       96", "codebook-rows", "patch",
        "batch", "validation on the newest 40 of 400 rows", "epoch   1  loss"}) {
    EXPECT_NE(trained.err.find(words), std::string::npos) << words << "\n" << trained.err;
  }
  EXPECT_NE(trained.out.find("a.model: best epoch 1 of 1"), std::string::npos) << trained.out;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("a.model.checkpoint")));
  EXPECT_TRUE(contents(folder_.file("a.model.log.csv")).starts_with("epoch,learning_rate,"));
}

TEST_F(TrainVerb, WithoutValidationNoErrorIsMadeUp) {
  const std::string tiny = " --horizon 12 --split 0.8,0,0.2 --out " + folder_.file("a.model");
  for (const char* how : {" --epochs 2 --hidden 8", " --model linear", " --model channel_linear"}) {
    const Outcome trained = run("train " + rows() + tiny + how);
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_NE(trained.out.find("nothing held out to validate by"), std::string::npos);
    EXPECT_EQ(trained.out.find("nan"), std::string::npos) << trained.out;
  }
}

TEST_F(TrainVerb, AHorizonThatNobodyGaveIsSaid) {
  const std::string model = folder_.file("a.model");
  const std::string tiny = " --epochs 1 --hidden 8 --threads 1 --out " + model;
  const Outcome silent = run("train " + rows() + tiny);
  EXPECT_EQ(silent.exit_code, 0) << silent.err;
  EXPECT_NE(silent.err.find("  horizon        96  (the default; --horizon asks for another"),
            std::string::npos)
      << silent.err;
  EXPECT_EQ(inspect("a.model")["shape"]["horizon"], 96);
  const Outcome given = run("train " + rows() + tiny + " --horizon 96");
  EXPECT_EQ(given.err.find("the default"), std::string::npos) << given.err;
}

TEST_F(TrainVerb, AHorizonMayBeATime) {
  EXPECT_EQ(train("a.model", "--horizon 12h").exit_code, 0);
  EXPECT_EQ(inspect("a.model")["shape"]["horizon"], 12);
  EXPECT_TRUE(says(train("b.model", "--horizon 90min"), 2, "not a whole number of steps of 1h"));
  EXPECT_TRUE(says(train("b.model", "--horizon 12x"), 2, "got '12x'"));
  EXPECT_TRUE(says(train("b.model", "--horizon 0"), 2, "expected 1 to 100000 steps"));
  EXPECT_TRUE(says(train("b.model", "--horizon 5000"), 3, "Give more rows; a smaller --lookback"));
}

TEST_F(TrainVerb, QuietPrintsNothingOnStandardErrorAndJsonIsOneDocument) {
  const Outcome trained = train("a.model", "--horizon 12 --json");
  EXPECT_EQ(trained.exit_code, 0);
  EXPECT_EQ(trained.err, "");
  const json result = json::parse(trained.out);
  EXPECT_EQ(result["epochs"], 1);
  EXPECT_EQ(result["best_epoch"], 1);
  EXPECT_GT(result["weights"], 1000);
  EXPECT_GT(result["chosen"].size(), 3U);
}

TEST_F(TrainVerb, AMistypedRecipeOrFlagIsAnsweredWithTheNearest) {
  EXPECT_TRUE(says(train("a.model", "--recipe ETTh3 --horizon 96"), 2, "Did you mean 'ETTh1'"));
  EXPECT_TRUE(says(train("a.model", "--recipe ETTh1 --horizon 97"), 2, "96, 192, 336, 720"));
  EXPECT_TRUE(says(train("a.model", "--horison 24"), 2, "Did you mean '--horizon'?"));
  EXPECT_TRUE(says(train("a.model", "--horison=24"), 2, "Did you mean '--horizon'?"));
  EXPECT_TRUE(says(run("help trian"), 2, "Did you mean 'train'?"));
}

TEST_F(TrainVerb, BlocksOfValidationAreCountedAndSaid) {
  const Outcome trained =
      run("train " + rows() + " --horizon 12 --epochs 1 --hidden 8 --validation-blocks 4 --out " +
          folder_.file("a.model"));
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.err.find("2 origins in runs of 12 rows, one every 63 rows; no target that "
                             "trains is within 12 of one; the rows allow no more"),
            std::string::npos)
      << trained.err;
  EXPECT_NE(trained.out.find("over 2 windows"), std::string::npos) << trained.out;
  EXPECT_TRUE(says(train("b.model", "--recipe ETTh1 --horizon 96 --validation-blocks 4"), 2,
                   "the protocol of ETTh1 says on which rows it validates"));
}

TEST_F(TrainVerb, TheModelFileSaysWhatItWasTrainedWith) {
  ASSERT_EQ(train("a.model", "--horizon 12 --backbone patchtst --layers 1").exit_code, 0);
  const json settings = inspect("a.model")["settings"];
  EXPECT_EQ(settings["training"]["batch"], json::array({"128"}));
  EXPECT_EQ(settings["training"]["learning-rate"], json::array({"0.001"}));
  EXPECT_EQ(settings["training"]["loss"], json::array({"frequency"}));
  EXPECT_EQ(settings["model"]["width"], json::array({"128"}));
  EXPECT_EQ(settings["model"]["layers"], json::array({"1"}));
  ASSERT_EQ(train("b.model", "--horizon 12 --model dlinear --loss frequency").exit_code, 0);
  const json lone = inspect("b.model")["settings"]["training"];
  EXPECT_EQ(lone["learning-rate"], json::array({"0.0001"}));
  EXPECT_EQ(lone["loss"], json::array({"frequency"})) << "told, though it is the usual of PULSE";
}

TEST_F(TrainVerb, ARecipeMayStandInAConfigFile) {
  std::ofstream(folder_.file("settings.toml")) << "[training]\nrecipe = 'ETTh3'\n";
  EXPECT_TRUE(says(train("a.model", "--config " + folder_.file("settings.toml")), 2,
                   "Did you mean 'ETTh1'"));
}

TEST_F(TrainVerb, SomethingMustBeLeftToForecast) {
  EXPECT_TRUE(says(train("a.model", "--known c1,c2"), 2, "no column is left to forecast"));
  EXPECT_TRUE(says(train("a.model", "--past c1 --known c2"), 2, "no column is left to forecast"));
}

TEST_F(TrainVerb, WhereAModelCannotBeWrittenIsRefusedBeforeTraining) {
  const std::string before = contents(rows());
  EXPECT_TRUE(says(train("no/such/folder.model"), 5, "folder.model: could not create the file"));
  EXPECT_TRUE(
      says(train("", "--log " + folder_.file("no/log.csv")), 5, "is a folder; name a file"));
  EXPECT_TRUE(
      says(train("a.model", "--log " + folder_.file("no/log.csv")), 5, "log.csv: could not"));
  EXPECT_TRUE(says(train("rows.csv"), 2, "already; name another file"));
  EXPECT_TRUE(says(train("a.model", "--log " + rows()), 2, "already; name another file"));
  EXPECT_TRUE(
      says(train("a.model", "--log " + folder_.file("a.model")), 2, "already; name another file"));
  std::filesystem::create_hard_link(rows(), folder_.file("link.csv"));
  EXPECT_TRUE(says(train("link.csv"), 2, "already; name another file"));
  EXPECT_EQ(contents(rows()), before);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("a.model")));
}

TEST_F(TrainVerb, ADiskThatFillsUpKeepsTheModelThatWasThere) {
  ASSERT_EQ(train("a.model").exit_code, 0);
  const std::string before = contents(folder_.file("a.model"));
  // A limit on the size of files is a disk that fills up; the log and the checkpoint are smaller
  // than the model, or come after it.
  const std::string limited = "trap '' XFSZ; ulimit -f 8; '" + std::string(PULSECAST_PROGRAM) +
                              "' train " + rows() + kTiny + " --seed 2 --out " +
                              folder_.file("a.model") + " 2> " + folder_.file("err.txt");
  std::ofstream(folder_.file("limited.sh")) << limited;
  const int status = std::system(("bash " + folder_.file("limited.sh") + " > /dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 5) << contents(folder_.file("err.txt"));
  EXPECT_NE(contents(folder_.file("err.txt")).find("What was there before is unchanged"),
            std::string::npos);
  EXPECT_EQ(contents(folder_.file("a.model")), before);
}

TEST_F(TrainVerb, CtrlCEndsWithTheBestSoFarAndCanGoOn) {
  const std::string arguments = "train " + rows() + kTiny +
                                " --epochs 100000 --patience 100000 --out " +
                                folder_.file("a.model");
  const pid_t child = start(arguments);
  ASSERT_TRUE(wait_until_exists("a.model.log.csv"));
  kill(child, SIGINT);
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status));
  const std::string said = contents(folder_.file("err.txt"));
  EXPECT_EQ(WEXITSTATUS(status), 1) << said;
  EXPECT_NE(said.find("ended early: this is the best"), std::string::npos) << said;
  EXPECT_TRUE(std::filesystem::exists(folder_.file("a.model.checkpoint")));
  EXPECT_EQ(run("forecast " + folder_.file("a.model") + " " + rows()).exit_code, 0);
  // With fewer epochs than it has by now it would be another run; with more it goes on.
  const Outcome more =
      run("train " + rows() + kTiny + " --epochs 100000 --patience 1 --resume --out " +
          folder_.file("a.model"));
  EXPECT_TRUE(says(more, 0, "")) << "the patience may be another";
}

TEST_F(TrainVerb, ASearchTellsWhatItTried) {
  const std::string small = " --horizon 12 --hidden 8 --batch 16 --threads 1 --budget 120steps";
  const Outcome found =
      run("train " + rows() + small + " --json --quiet --out " + folder_.file("s.model"));
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto tried = nlohmann::json::parse(found.out)["tried"];
  double shares = 0.0;
  for (const auto& each : tried) shares += each["share"].get<double>();
  EXPECT_GT(tried.size(), 3u);
  EXPECT_NEAR(shares, 1.0, 1e-9);
  ASSERT_EQ(run("train " + rows() + small + " --quiet --threads 2 --out " + folder_.file("t.model"))
                .exit_code,
            0);
  const std::string one = run("forecast " + folder_.file("s.model") + " " + rows()).out;
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(run("forecast " + folder_.file("t.model") + " " + rows()).out, one);
  EXPECT_EQ(run("inspect " + folder_.file("s.model")).exit_code, 0);
  EXPECT_EQ(run("inspect --verify " + folder_.file("s.model")).exit_code, 0);
  EXPECT_TRUE(says(run("train " + rows() + " --budget soon"), 2, "30s, 5m or 2h"));
}

TEST_F(TrainVerb, AStopSavesAndSaysHowToGoOn) {
  const std::string arguments = "train " + rows() + kTiny +
                                " --epochs 100000 --patience 100000 --out " +
                                folder_.file("a.model");
  const pid_t child = start(arguments);
  ASSERT_TRUE(wait_until_exists("a.model.log.csv"));
  kill(child, SIGTERM);
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const std::string said = contents(folder_.file("err.txt"));
  EXPECT_NE(said.find("stopped at epoch"), std::string::npos) << said;
  EXPECT_NE(said.find("a.model.checkpoint. Run the same command with --resume"), std::string::npos)
      << said;
  EXPECT_TRUE(std::filesystem::exists(folder_.file("a.model.checkpoint")));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("a.model")));

  const Outcome other =
      run("train " + rows() + kTiny + " --lookback 36 --resume --out " + folder_.file("a.model"));
  EXPECT_TRUE(says(other, 2, "of another run and cannot be resumed"));
}

TEST_F(TrainVerb, KilledAtAnyMomentAndResumedItIsTheSameModel) {
  const std::string flags = " --epochs 12 --checkpoint-seconds 0";
  ASSERT_EQ(train("whole.model", flags).exit_code, 0);
  // Moments are spread over the run, reading and writing included; each goes on where the last
  // left.
  const std::string arguments =
      "train " + rows() + kTiny + flags + " --resume --out " + folder_.file("killed.model");
  int kills = 0;
  for (const int moment : {0, 90, 17, 140, 61, 200, 113, 0}) {
    const pid_t child = start(arguments);
    ASSERT_TRUE(wait_until_exists("killed.model.checkpoint")) << contents(folder_.file("err.txt"));
    pause(moment);
    kill(child, SIGKILL);
    if (WIFSIGNALED(wait_for(child))) ++kills;
  }
  EXPECT_GT(kills, 0);
  ASSERT_TRUE(std::filesystem::exists(folder_.file("killed.model.checkpoint")));
  const Outcome resumed = run(arguments);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(tensors("whole.model") == tensors("killed.model"));
  EXPECT_EQ(forecast("whole.model").out, forecast("killed.model").out);
  // A resumed run knows all of its epochs.
  json whole = inspect("whole.model");
  json killed = inspect("killed.model");
  EXPECT_EQ(whole["origin"]["best_epoch"], killed["origin"]["best_epoch"]);
  EXPECT_EQ(whole["origin"]["history"].size(), killed["origin"]["history"].size());
}

TEST_F(TrainVerb, RefitLearnsFromEveryRow) {
  ASSERT_EQ(train("a.model", "--refit").exit_code, 0);
  const json origin = inspect("a.model")["origin"];
  EXPECT_EQ(origin["trained"]["rows"], 400);
  const Outcome scored = run("evaluate " + folder_.file("a.model") + " " + rows());
  EXPECT_TRUE(says(scored, 3, "there are no rows to score"));
}

}  // namespace
}  // namespace pulsecast::testing
