// pulsecast paper, as a user runs it: what would be run, a trial, a kill, wrong flags.

#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class PaperVerb : public ModelVerbs {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.file("data"));
    ASSERT_EQ(
        run("data make " + folder_.file("data/ETTh1.csv") + " --rows 14400 --channels 7").exit_code,
        0);
  }

  std::string paper(const std::string& flags, const std::string& out = "results") const {
    return "paper --threads 1 --data " + folder_.file("data") + " --out " + folder_.file(out) +
           " " + flags;
  }

  // The records, without what a clock says.
  std::vector<json> records(const std::string& out) const {
    std::vector<json> all;
    for (const std::string& line : lines(contents(folder_.file(out + "/runs.jsonl")))) {
      all.push_back(json::parse(line));
      for (const char* clock : {"seconds", "crc32c"}) all.back().erase(clock);
      all.back()["test"].erase("times_scored");
    }
    return all;
  }
};

TEST_F(PaperVerb, TheListSaysWhatWouldBeRunAndHowLong) {
  const Outcome listed = run(paper("--only anchors --seeds 1,2 --dry-run"));
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_NE(listed.out.find("ETTh1          96  seed 2"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("0 found, 2 runs to do, about"), std::string::npos) << listed.out;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("results/runs.jsonl")));
  const json same = json::parse(run(paper("--only anchors --seeds 1,2 --dry-run --json")).out);
  EXPECT_EQ(same["to_do"], 2);
  EXPECT_EQ(same["runs"].size(), 2u);
  EXPECT_EQ(same["runs"][0]["model"], "pulse");
}

TEST_F(PaperVerb, ATrialFromNothingToThePage) {
  const Outcome done = run(paper("--only anchors,mismatch --epochs 1"));
  ASSERT_EQ(done.exit_code, 0) << done.err;
  for (const char* words :
       {"0 found, 1 run to do, about", "[1/1] pulse on ETTh1, horizon 96, seed 2024",
        "1 run done, 0 found, 0 failed", "4 of 28 cells of the paper have a number of ours"}) {
    EXPECT_NE(done.err.find(words), std::string::npos) << words << "\n" << done.err;
  }
  EXPECT_EQ(done.out, contents(folder_.file("results/paper.md")));
  for (const char* page :
       {"paper.html", "paper.json", "paper.csv", "inside/pulse_ETTh1_96_2024.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.file(std::string("results/") + page))) << page;
  }
  const Outcome again = run(paper("--only anchors,mismatch --epochs 1 --json --quiet"));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(json::parse(again.out)["cells_filled"], 4);
  // With other settings the same folder would mix two experiments.
  EXPECT_TRUE(says(run(paper("--only anchors --epochs 2 --quiet")), 2,
                   "was done with training.epochs 1, and is now to have 2"));
  EXPECT_TRUE(says(run(paper("--only anchors --report --quiet")), 2,
                   "was done with training.epochs 1, and is now to have"));
}

TEST_F(PaperVerb, KilledAtAnyMomentItEndsWithTheSameRecords) {
  const std::string flags = "--only anchors --epochs 1 --seeds 1,2,3 --quiet";
  ASSERT_EQ(run(paper(flags, "whole")).exit_code, 0);
  int kills = 0;
  for (const int moment : {100, 700, 300, 1200}) {
    const pid_t child = start(paper(flags));
    pause(moment);
    kill(child, SIGKILL);
    if (WIFSIGNALED(wait_for(child))) ++kills;
  }
  EXPECT_GT(kills, 0);
  const Outcome last = run(paper(flags));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(records("results"), records("whole"));
  EXPECT_EQ(contents(folder_.file("results/inside/pulse_ETTh1_96_1.json")),
            contents(folder_.file("whole/inside/pulse_ETTh1_96_1.json")));
}

TEST_F(PaperVerb, APageOfWhatIsFinishedTrainsNothing) {
  const Outcome page = run(paper("--only main --report"));
  EXPECT_EQ(page.exit_code, 1) << "runs are missing";
  EXPECT_NE(page.err.find("0 of 480 cells of the paper"), std::string::npos) << page.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("results/runs.jsonl")));
}

// As with what is published: a table of records, and the page of them on the rows that are here.
TEST_F(PaperVerb, APageOfRecordsFromElsewhereTrainsNothing) {
  ASSERT_EQ(run(paper("--only anchors --epochs 1 --quiet", "theirs")).exit_code, 0);
  std::filesystem::remove_all(folder_.file("theirs/errors"));
  const Outcome page =
      run(paper("--only anchors --epochs 1 --report --studies " + folder_.file("theirs")));
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_NE(page.err.find("1 run taken over"), std::string::npos) << page.err;
  EXPECT_EQ(records("results").size(), 1u);
}

TEST_F(PaperVerb, WrongFlagsSayWhatThereIs) {
  EXPECT_TRUE(says(run("paper --out x"), 2, "--data"));
  EXPECT_TRUE(says(run(paper("--only mian --dry-run")), 2, "Did you mean 'main'?"));
  EXPECT_TRUE(says(run(paper("--datasets ETTh7 --dry-run")), 2, "has no dataset 'ETTh7'"));
  EXPECT_TRUE(says(run(paper("--models dliner --dry-run")), 2, "Did you mean 'dlinear'?"));
  EXPECT_TRUE(says(run(paper("--horizons 97 --dry-run")), 2, "a horizon of 97; there are"));
  EXPECT_TRUE(says(run(paper("--horizons 0")), 2, "--horizons"));
  EXPECT_TRUE(says(run(paper("--seeds x")), 2, "--seeds"));
  EXPECT_TRUE(says(run(paper("--epochs 0")), 2, "--epochs"));
  EXPECT_TRUE(says(run(paper("--dry-run --report")), 2, "--report"));
  const Outcome both = run(paper("--studies x --dry-run"));
  EXPECT_TRUE(says(both, 2, "--studies"));
  EXPECT_TRUE(says(both, 2, "--dry-run"));
  EXPECT_TRUE(says(run(paper("--only anchors --studies " + folder_.file("none"))), 2,
                   "is no folder of a study"));
  EXPECT_TRUE(says(run("paper --dry-run --out x --data " + folder_.file("none")), 5,
                   "is not a folder that can be read"));
}

}  // namespace
}  // namespace pulsecast::testing
