#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/paper/anchors.h"
#include "pulsecast/paper/conduct.h"
#include "pulsecast/paper/estimate.h"
#include "pulsecast/paper/report.h"
#include "pulsecast/paper/testing.h"

namespace pulsecast::paper {
namespace {

namespace fs = std::filesystem;

class PaperTest : public ::testing::Test {
 protected:
  void make(const char* dataset) { pulsecast::testing::write_made(data(), *find_dataset(dataset)); }
  const fs::path& data() {
    fs::create_directories(data_);
    return data_;
  }
  // A trial of one epoch.
  Request request(std::vector<std::string> parts) {
    return {.data = data(), .out = out_, .parts = std::move(parts), .most_epochs = 1};
  }
  Plan plan(Request request) { return Plan(std::move(request), threads_); }
  benchmark::StudyResult run(const Plan& plan) { return conduct(plan, {}, threads_); }
  Report report(const Plan& plan) { return write_report(plan, threads_, {}); }

  std::string refusal(Request request) {
    return refusal([&] { plan(std::move(request)); });
  }
  std::string refusal(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  std::string read(const char* name) const {
    std::ifstream stream(out_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  pulsecast::testing::TemporaryFolder folder_;
  fs::path data_ = folder_.path() / "data";
  fs::path out_ = folder_.path() / "out";
  ThreadPool threads_{1};
};

TEST_F(PaperTest, WrongNamesSayWhatThereIs) {
  make("ETTh1");
  EXPECT_NE(refusal(request({"abltion"})).find("Did you mean 'ablation'?"), std::string::npos);
  Request other = request({"main"});
  other.datasets = {"ETTh9"};
  EXPECT_NE(refusal(other).find("the paper has no dataset 'ETTh9'"), std::string::npos);
  Request nowhere = request({"main"});
  nowhere.data = folder_.path() / "none";
  EXPECT_NE(refusal(nowhere).find("is not a folder that can be read"), std::string::npos);
}

TEST_F(PaperTest, APlanHasEachTrainingOnceTheCheapestFirst) {
  make("ETTh1");
  const Plan all = plan(request({"plug", "forecasts", "anchors"}));
  std::set<benchmark::RunKey> keys;
  double before = 0.0;
  for (const PlannedRun& run : all.runs()) {
    EXPECT_TRUE(keys.insert(run.task.key).second) << benchmark::to_text(run.task.key);
    EXPECT_GE(run.seconds, before);
    before = run.seconds;
    EXPECT_EQ(run.is_pictured, benchmark::to_text(run.task.key) == "pulse ETTh1 96 2024");
  }
  // Four backbones, each alone and inside PULSE, over four horizons; and PULSE.
  EXPECT_EQ(keys.size(), 4u * 2 * 4 + 1);
  EXPECT_EQ(remaining(all).runs, keys.size());
}

TEST_F(PaperTest, ModelsAndHorizonsThatAreAskedForAreTrainedAlone) {
  make("ETTh1");
  Request some = request({"main", "ablation"});
  some.models = {"dlinear", "pulse"};
  some.horizons = {96, 720};
  std::set<std::string> runs;
  const Plan few = plan(some);
  for (const PlannedRun& run : few.runs()) runs.insert(benchmark::to_text(run.task.key));
  // Ablations are means of four horizons, of no use without the others.
  EXPECT_EQ(runs, (std::set<std::string>{"dlinear ETTh1 96 2024", "dlinear ETTh1 720 2024",
                                         "pulse ETTh1 96 2024", "pulse ETTh1 720 2024"}));
  some.models = {"dliner"};
  EXPECT_NE(refusal(some).find("Did you mean 'dlinear'?"), std::string::npos);
  some.models = {};
  some.horizons = {96, 97};
  EXPECT_NE(refusal(some).find("a horizon of 97; there are 12, 24, 48, 96, 192, 336, 720"),
            std::string::npos)
      << refusal(some);
}

TEST_F(PaperTest, QuickLeavesOutOtherDatasetsAndLongRunsWithTheirMeans) {
  make("ETTh1");
  make("AQShunyi");
  Request quick = request({"main", "mase"});
  quick.most_epochs = 0;
  quick.is_quick = true;
  const Plan some = plan(quick);
  EXPECT_GT(some.left_out(), 0u);
  EXPECT_TRUE(some.is_left_out("AQShunyi"));
  EXPECT_FALSE(some.is_left_out("AQWan"));
  ASSERT_FALSE(some.runs().empty());
  for (const PlannedRun& run : some.runs()) {
    EXPECT_EQ(run.task.key.dataset, "ETTh1");
    EXPECT_LE(run.seconds, kQuickSeconds);
  }
}

TEST_F(PaperTest, ARunAPageAndGoingOn) {
  make("ETTh1");
  const Plan first = plan(request({"anchors", "mismatch"}));
  ASSERT_EQ(first.runs().size(), 1u);
  EXPECT_EQ(run(first).done, 1u);
  const auto view = read_anchors(anchor_file(out_, first.runs()[0].task.key));
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->spectra.size(), 3u);
  EXPECT_EQ(view->maps.size(), 4u);

  const Report once = report(first);
  EXPECT_EQ(once.missing, 0u);
  EXPECT_EQ(once.count, "4 of 28 cells of the paper have a number of ours beside them");
  const std::string page = read("paper.html");
  for (const char* words :
       {"<b>4 of 28</b>", "ETTh1: anchor of the future, windows by likeness",
        "No file: ETTh2 (ETTh2.csv), ETTm1 (ETTm1.csv)", "another file than the paper",
        "A trial: training ended after 1 epoch at most", "paper 0.332"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(report(first).markdown, once.markdown);

  // The same run is in the main table, of which the others are still to do.
  const Plan more = plan(request({"main"}));
  EXPECT_EQ(remaining(more).found, 1u);
  EXPECT_EQ(report(more).missing, more.runs().size() - 1);
  EXPECT_NE(read("paper.csv").find("main,ETTh1,96,96,pulse,,0.362,0.39,,1,"), std::string::npos);
}

TEST_F(PaperTest, RunsOfOtherStudiesAreTakenOverWhereTheirSettingsAreTheSame) {
  make("ETTh1");
  Request seeds = request({"anchors"});
  seeds.seeds = {1, 2};
  const Plan two = plan(seeds);
  EXPECT_EQ(run(two).done, 2u);
  seeds.out = folder_.path() / "other";
  const Plan again = plan(seeds);
  const fs::path anchors = anchor_file(out_, two.runs()[0].task.key);
  const fs::path hidden = folder_.path() / "hidden";
  fs::rename(anchors, hidden);
  EXPECT_EQ(take_over(again, {out_}, threads_), 1u) << "what is pictured is trained here";
  EXPECT_EQ(take_over(again, {out_}, threads_), 0u) << "it is there already";
  EXPECT_EQ(remaining(again).found, 1u);
  fs::rename(hidden, anchors);
  EXPECT_EQ(take_over(again, {out_}, threads_), 1u) << "or comes with its anchors";
  EXPECT_TRUE(read_anchors(anchor_file(seeds.out, two.runs()[0].task.key)).has_value());
  seeds.out = folder_.path() / "third";
  seeds.most_epochs = 2;
  EXPECT_EQ(take_over(plan(seeds), {out_}, threads_), 0u) << "of another number of epochs";
  EXPECT_THROW(take_over(again, {folder_.path() / "none"}, threads_), Error);
}

// As they are published: a record tells everything but what a picture of a forecast is made of.
TEST_F(PaperTest, RecordsAloneAreTakenOverForTheirNumbers) {
  make("ETTh1");
  Request some = request({"main"});
  some.models = {"dlinear"};
  some.horizons = {96};
  EXPECT_EQ(run(plan(some)).done, 1u);
  fs::remove_all(out_ / "errors");
  some.out = folder_.path() / "other";
  EXPECT_EQ(take_over(plan(some), {out_}, threads_), 1u);
  some.parts = {"main", "forecasts"};
  const Plan again = plan(some);
  EXPECT_EQ(remaining(again).found, 1u);
  EXPECT_EQ(report(again).count, "1 of 480 cells of the paper have a number of ours beside them");
}

// Where a file of errors is lost among others, something is wrong.
TEST_F(PaperTest, AFolderThatLacksAFileOfErrorsIsRefused) {
  make("ETTh1");
  Request some = request({"main"});
  some.models = {"dlinear"};
  some.horizons = {96};
  run(plan(some));
  fs::remove(out_ / "errors" / "dlinear_ETTh1_96_2024.safetensors");
  some.out = folder_.path() / "other";
  EXPECT_NE(refusal([&] { take_over(plan(some), {out_}, threads_); }).find("cannot be copied to"),
            std::string::npos);
}

// Their errors would stand in one table with those of the rows that are here.
TEST_F(PaperTest, RunsOfOtherRowsAreNotTakenOverIntoAFreshFolder) {
  make("ETTh1");
  Request seeds = request({"anchors"});
  seeds.seeds = {1, 2};
  run(plan(seeds));
  std::ofstream(data_ / "ETTh1.csv")
      << pulsecast::testing::made_rows(*find_dataset("ETTh1"), 15000);
  seeds.out = folder_.path() / "fresh";
  const Plan fresh = plan(seeds);
  EXPECT_NE(
      refusal([&] { take_over(fresh, {out_}, threads_); }).find("ETTh1 are of other rows than"),
      std::string::npos);
  EXPECT_EQ(remaining(fresh).found, 0u);
}

TEST_F(PaperTest, APartThatIsNamedTwiceIsThereOnce) {
  make("ETTh1");
  EXPECT_EQ(plan(request({"anchors", "mismatch", "anchors"})).parts().size(), 2u);
}

TEST_F(PaperTest, ACellWithARunAndNoFileCountsOnce) {
  make("ETTh1");
  run(plan(request({"anchors"})));
  fs::remove(data_ / "ETTh1.csv");
  const auto counts = nlohmann::json::parse(report(plan(request({"main"}))).json);
  EXPECT_EQ(counts["cells_filled"], 1);
  EXPECT_EQ(counts["cells_without_data"], counts["cells"].get<int>() - 1);
}

TEST_F(PaperTest, ATrialIsNotTakenForAResult) {
  make("ETTh1");
  Request trial = request({"anchors"});
  trial.seeds = {1};
  run(plan(trial));
  // Nor of a seed that is not asked for, whose numbers stand on the page too.
  Request result = request({"anchors"});
  result.most_epochs = 2;
  result.seeds = {2};
  const char* const words = "was done with training.epochs 1, and is now to have 2";
  const std::string page = refusal([&] { report(plan(result)); });
  EXPECT_NE(page.find(words), std::string::npos) << page;
  EXPECT_FALSE(fs::exists(out_ / "paper.html"));
  const std::string training = refusal([&] { run(plan(result)); });
  EXPECT_NE(training.find(words), std::string::npos) << training;
  EXPECT_EQ(remaining(plan(result)).found, 0u) << "refused before any training";
  // Nor where the file is gone, so that nothing is to be run.
  fs::remove(data_ / "ETTh1.csv");
  EXPECT_NE(refusal([&] { report(plan(result)); }).find(words), std::string::npos);
}

TEST_F(PaperTest, AFileThatCannotBeReadIsARowThatSaysSo) {
  fs::create_directories(data());
  std::ofstream(data_ / "ETTh1.csv") << "date,a\nnonsense";
  const Plan none = plan(request({"anchors", "mismatch"}));
  EXPECT_TRUE(none.runs().empty());
  EXPECT_EQ(report(none).count, "0 of 28 cells of the paper have a number of ours beside them");
  EXPECT_NE(read("paper.html").find("cannot be read: "), std::string::npos);
}

TEST_F(PaperTest, RowsThatAreTooFewLeaveTheirCellsEmptyAndNoOther) {
  fs::create_directories(data());
  const std::string rows = pulsecast::testing::made_rows(*find_dataset("ETTh1"), 500);
  std::ofstream(data_ / "ETTh1.csv") << rows;
  const Plan few = plan(request({"anchors", "mismatch"}));
  EXPECT_EQ(run(few).failures.size(), 1u);
  const Report page = report(few);
  EXPECT_EQ(page.missing, 1u);
  EXPECT_EQ(page.count, "0 of 28 cells of the paper have a number of ours beside them");
}

// Every dataset of the paper works the day its file is there: its shape, its reader, its protocol.
TEST_F(PaperTest, ADayOnWhichAll18FilesAreThere) {
  for (const Dataset& dataset : datasets()) make(dataset.name.data());
  Request all = request({"mismatch"});
  const Plan looked = plan(all);
  std::vector<benchmark::Task> tasks;
  for (const Dataset& dataset : datasets()) {
    EXPECT_TRUE(looked.has(dataset.name)) << looked.file_of(dataset.name).detail;
    const bool is_short = dataset.name.starts_with("PEMS");
    const Want want{
        .model = "dlinear", .dataset = std::string(dataset.name), .horizon = is_short ? 12 : 96};
    EXPECT_GT(estimated_seconds(looked.task_of(want), dataset, 1), 0.0);
    tasks.push_back(looked.task_of(want));
  }
  benchmark::StudyHooks hooks;
  hooks.on_failure = [](const benchmark::RunKey& key, const Error& error) {
    ADD_FAILURE() << benchmark::to_text(key) << ": " << error.what();
  };
  EXPECT_EQ(run_tasks(looked.study(), tasks, hooks, threads_).done, datasets().size());
  for (const benchmark::RunRecord& record :
       benchmark::read_journal(benchmark::journal_path(looked.study())).records) {
    EXPECT_EQ(record.channels, find_dataset(record.key.dataset)->channels);
    EXPECT_TRUE(std::isfinite(record.mse));
  }
}

TEST(Pace, LearnsFromLongRunsAndHardlyFromShortOnes) {
  Pace pace;
  EXPECT_DOUBLE_EQ(pace.of("pulse"), 1.0);
  pace.add("dlinear", 1.0, 10.0);
  EXPECT_LT(pace.of("pulse"), 1.2);
  pace.add("pulse", 1000.0, 2000.0);
  EXPECT_NEAR(pace.of("pulse"), 2.0, 0.1);
}

}  // namespace
}  // namespace pulsecast::paper
