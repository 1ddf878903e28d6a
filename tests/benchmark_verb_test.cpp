// pulsecast benchmark, as a user runs it: the example of the documents, Ctrl-C, a kill, the command
// that a record holds.

#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class BenchmarkVerb : public ModelVerbs {
 protected:
  void SetUp() override {
    ASSERT_EQ(run("data make " + folder_.file("load.csv") + " --rows 400 --channels 2").exit_code,
              0);
  }

  // A study of one model and two seeds that takes tenths of a second; `more` follows [settings].
  std::string study(const std::string& more = "") const {
    return write(
        "study.toml",
        "out = 'results'\nmodels = ['dlinear', 'pulse:dlinear']\nhorizons = [6]\nseeds = [1, "
        "2]\n[[datasets]]\nname = 'load'\nfile = 'load.csv'\n[settings]\nlookback = 24\n"
        "epochs = 3\ncheckpoint-seconds = 0\n" +
            more);
  }

  // The records, without what a clock says.
  std::vector<json> records() const {
    std::vector<json> all;
    for (const std::string& line : lines(contents(folder_.file("results/runs.jsonl")))) {
      all.push_back(json::parse(line));
      all.back().erase("seconds");
      all.back().erase("crc32c");                // of the seconds too
      all.back()["test"].erase("times_scored");  // a kill may fall between scoring and record
    }
    return all;
  }

  bool has_unfinished() const {
    const std::filesystem::path folder = folder_.file("results/unfinished");
    return std::filesystem::exists(folder) && !std::filesystem::is_empty(folder);
  }
};

TEST_F(BenchmarkVerb, TheExampleOfTheDocumentsRuns) {
  std::filesystem::copy_file(PULSECAST_SOURCE_DIR "/docs/examples/benchmark.toml",
                             folder_.file("benchmark.toml"),
                             std::filesystem::copy_options::overwrite_existing);
  const Outcome done = run("benchmark " + folder_.file("benchmark.toml"));
  ASSERT_EQ(done.exit_code, 0) << done.err;
  for (const char* words : {"[1/16] dlinear on load, horizon 12, seed 2024",
                            "[16/16] pulse on load, horizon 24, seed 2025", "test MSE",
                            "16 runs done, 0 found", "benchmark/report.md"}) {
    EXPECT_NE(done.err.find(words), std::string::npos) << words << "\n" << done.err;
  }
  EXPECT_EQ(done.out, contents(folder_.file("benchmark/report.md")));
  for (const char* words : {"| load | mean |", "## What PULSE adds", "| pulse:dlinear | dlinear |",
                            "seasonal naive (day)", "**"}) {
    EXPECT_NE(done.out.find(words), std::string::npos) << words << "\n" << done.out;
  }
  const Outcome again = run("benchmark --json --quiet " + folder_.file("benchmark.toml"));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(json::parse(again.out)["runs"], 16);
}

// A study has keys, not flags.
TEST_F(BenchmarkVerb, AFaultOfTheRowsSaysWhatToWriteIntoTheStudy) {
  std::string rows = contents(folder_.file("load.csv"));
  const std::size_t cell = rows.rfind(',', rows.size() / 2);
  rows.erase(cell + 1, rows.find_first_of(",\n", cell + 1) - cell - 1);
  write("load.csv", rows);
  const Outcome said = run("benchmark --quiet " + study());
  EXPECT_EQ(said.exit_code, 3);
  for (const char* words : {"fill = \"linear\" draws a straight line", "in [settings]",
                            "run 'pulsecast check' to list every gap"}) {
    EXPECT_NE(said.err.find(words), std::string::npos) << words << "\n" << said.err;
  }
  EXPECT_EQ(said.err.find("--"), std::string::npos) << said.err;
  const json error = json::parse(run("benchmark --json --quiet " + study()).out)["error"];
  EXPECT_EQ(error["remedies"][1]["text"], "fill = \"linear\" draws a straight line");
  EXPECT_EQ(error["remedies"][1]["settings"][0]["value"], "linear");
}

TEST_F(BenchmarkVerb, TheCommandOfARecordDoesItOver) {
  ASSERT_EQ(run("benchmark --quiet " + study("hidden = 8\n")).exit_code, 0);
  const std::vector<json> all = records();
  ASSERT_EQ(all.size(), 4u);
  const std::string folder = std::filesystem::path(PULSECAST_PROGRAM).parent_path().string();
  for (const std::size_t which : {0u, 1u}) {
    const std::string command = all[which]["command"];
    const std::string alone = "cd '" + folder_.path() + "' && PATH='" + folder + "':$PATH && { " +
                              command + " --json > again.json; } 2> again.txt";
    write("again.sh", alone);
    ASSERT_EQ(std::system(("sh '" + folder_.file("again.sh") + "' > /dev/null").c_str()), 0)
        << command << "\n"
        << contents(folder_.file("again.txt"));
    const json scored = json::parse(contents(folder_.file("again.json")));
    EXPECT_EQ(scored["model"]["scaled"]["mse"], all[which]["test"]["mse"]) << command;
    EXPECT_EQ(scored["model"]["scaled"]["mae"], all[which]["test"]["mae"]) << command;
  }
}

TEST_F(BenchmarkVerb, CtrlCSaysHowToGoOn) {
  const std::string file = study("patience = 100000\n[settings.dlinear]\nepochs = 100000\n");
  const pid_t child = start("benchmark " + file);
  for (int i = 0; i < 2000 && !has_unfinished(); ++i) pause(5);
  kill(child, SIGINT);
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const std::string said = contents(folder_.file("err.txt"));
  EXPECT_NE(said.find("stopped in the run 'dlinear load 6 1', 1 of 4"), std::string::npos) << said;
  EXPECT_NE(said.find("Run the same command again to go on"), std::string::npos) << said;
  EXPECT_TRUE(says(run("benchmark --report " + file), 2, "there is no finished run"));
}

TEST_F(BenchmarkVerb, KilledAtAnyMomentItEndsWithTheSameRecords) {
  const std::string file = study();
  ASSERT_EQ(run("benchmark --quiet " + file).exit_code, 0);
  const std::vector<json> whole = records();
  std::filesystem::remove_all(folder_.file("results"));
  int kills = 0;
  for (const int moment : {5, 60, 130, 20, 250, 90}) {
    const pid_t child = start("benchmark --quiet " + file);
    for (int i = 0; i < 2000 && !has_unfinished() && kill(child, 0) == 0; ++i) pause(1);
    pause(moment);
    kill(child, SIGKILL);
    if (WIFSIGNALED(wait_for(child))) ++kills;
  }
  EXPECT_GT(kills, 0);
  const Outcome last = run("benchmark " + file);
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(records(), whole);
}

TEST_F(BenchmarkVerb, OneProcessAtAStudy) {
  const std::string file = study("patience = 100000\n[settings.dlinear]\nepochs = 100000\n");
  const pid_t first = start("benchmark " + file);
  for (int i = 0; i < 2000 && !has_unfinished(); ++i) pause(5);
  EXPECT_TRUE(says(run("benchmark " + file), 5, "another process is at this study"));
  kill(first, SIGKILL);
  wait_for(first);
  std::filesystem::remove_all(folder_.file("results/unfinished"));
  EXPECT_EQ(run("benchmark --quiet " + study()).exit_code, 0) << "a kill leaves the lock";
}

TEST_F(BenchmarkVerb, AReportOfAPartIsAPartialResult) {
  ASSERT_EQ(run("benchmark --quiet " + study()).exit_code, 0);
  const std::string all = contents(folder_.file("results/runs.jsonl"));
  write("results/runs.jsonl", all.substr(0, all.find('\n') + 1));
  const Outcome part = run("benchmark --report " + study());
  EXPECT_EQ(part.exit_code, 1) << part.err;
  EXPECT_NE(part.out.find("1 run finished, 3 still missing"), std::string::npos) << part.out;
}

TEST_F(BenchmarkVerb, ASweepIsAStudyOfOneSetting) {
  const std::string file = study();
  const Outcome done = run("sweep " + file + " --vary batch=16,32");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.err.find("[1/8] dlinear batch=16 on load, horizon 6, seed 1"), std::string::npos)
      << done.err;
  EXPECT_NE(done.out.find("validates best, with a test MSE of"), std::string::npos) << done.out;
  EXPECT_EQ(done.out, contents(folder_.file("results/sweep-batch/report.md")));
  // A value more trains that value alone.
  const Outcome more = run("sweep " + file + " --vary batch=16,32,64");
  EXPECT_NE(more.err.find("4 runs done, 8 found"), std::string::npos) << more.err;
  EXPECT_TRUE(says(run("sweep " + file + " --vary batch=16,x"), 2, "'x'"));
  EXPECT_TRUE(says(run("sweep " + file + " --vary patch=2,3 --report"), 2, "no finished run"));
}

TEST_F(BenchmarkVerb, MistakesAreAnsweredBeforeAnythingIsTrained) {
  EXPECT_TRUE(says(run("benchmark " + folder_.file("none.toml")), 5, "cannot read the study"));
  EXPECT_TRUE(says(run("benchmark " + study("epoch = 2\n")), 2, "Did you mean 'epochs'?"));
  EXPECT_TRUE(says(run("benchmark " + study("split = '0.9,0.3,0.1'\n")), 2, "add up to 1"));
}

}  // namespace
}  // namespace pulsecast::testing
