#include "pulsecast/benchmark/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <map>

#include "pulsecast/base/error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/testing.h"
#include "pulsecast/benchmark/window_errors.h"
#include "pulsecast/data/testing.h"
#include "pulsecast/settings/door_words.h"

namespace pulsecast::benchmark {
namespace {

class RunnerTest : public ::testing::Test {
 protected:
  StudyResult run(const Study& study, const StudyHooks& hooks = {}) {
    ThreadPool threads(1);
    return run_study(study, hooks, threads);
  }

  // Lines of the records by their keys, without what a clock says.
  static std::map<std::string, std::string> lines(const Study& study) {
    std::map<std::string, std::string> lines;
    for (RunRecord record : read_journal(journal_path(study)).records) {
      record.seconds = 0.0;
      EXPECT_TRUE(lines.emplace(to_text(record.key), to_line(record)).second) << "done twice";
    }
    return lines;
  }

  std::string refusal(const Study& study) {
    try {
      run(study);
    } catch (const Error& error) {
      return to_text(error, StudyWords());
    }
    return "none";
  }

  pulsecast::testing::StudyFolder folder_;
};

TEST_F(RunnerTest, EveryRunHasItsRecordAndIsDoneOnce) {
  const Study study = folder_.study();
  const StudyResult result = run(study);
  EXPECT_EQ(result.done, 8u);
  EXPECT_EQ(result.found, 0u);
  const std::vector<RunRecord> records = read_journal(journal_path(study)).records;
  ASSERT_EQ(records.size(), 8u);
  const RunRecord& record = records.front();
  EXPECT_EQ(to_text(record.key), "dlinear load 4 1");
  EXPECT_EQ(record.split, (Split{{0, 210}, {210, 240}, {240, 300}}));
  EXPECT_EQ(record.training_windows, 210u - 24 - 4 + 1);
  EXPECT_EQ(record.validation_windows, 30u - 4 + 1);
  EXPECT_EQ(record.test_windows, 60u - 4 + 1);
  EXPECT_EQ(record.validation_mse.size(), 2u);
  EXPECT_EQ(record.test_scorings, 1u);
  EXPECT_GT(record.weights, 0u);
  EXPECT_GT(record.flops, 0u);
  ASSERT_EQ(record.mase.size(), 3u);
  EXPECT_EQ(record.mase[1].lag, 24u);
  EXPECT_GT(record.mase[0].paper, 0.0);
  ASSERT_EQ(record.baselines.size(), 4u);
  EXPECT_EQ(record.baselines[1].name, "seasonal naive (day)");
  const WindowErrors errors = read_errors(study.out / record.errors);
  ASSERT_EQ(errors.squared.size(), record.test_windows);
  EXPECT_EQ(errors.first_rows.front(), 240.0);
  double mean = 0.0;
  for (const float each : errors.squared) mean += static_cast<double>(each);
  EXPECT_NEAR(mean / static_cast<double>(record.test_windows), record.mse, 1e-6);
  EXPECT_TRUE(std::filesystem::is_empty(study.out / "unfinished"));

  // As a kill leaves it that comes between the record and the end of its run.
  folder_.write("out/unfinished/dlinear_load_4_1.checkpoint", "half");
  const StudyResult again = run(study);
  EXPECT_EQ(again.done, 0u);
  EXPECT_EQ(again.found, 8u);
  EXPECT_TRUE(std::filesystem::is_empty(study.out / "unfinished"));
}

TEST_F(RunnerTest, ThePapersProtocolHasThePapersWindows) {
  const std::string file = pulsecast::testing::benchmark_file("ETTh1.csv.gz");
  if (file.empty()) GTEST_SKIP() << pulsecast::testing::kNoBenchmarkFiles;
  const Study study = parse_study(
      "out = 'out'\nmodels = ['dlinear']\nhorizons = [96]\n[[datasets]]\nname = 'ETTh1'\nfile = "
      "'" +
          file + "'\n[settings]\nepochs = 1\nlookback = 96\n",
      folder_.path("ett.toml").string());
  run(study);
  const RunRecord record = read_journal(journal_path(study)).records.front();
  EXPECT_EQ(record.training_windows, 8449u);
  EXPECT_EQ(record.test_windows, 2785u);
  EXPECT_EQ(record.split.test, (RowRange{11520, 14400}));
}

// Stopped after so many steps of training, again and again, and gone on with.
TEST_F(RunnerTest, StoppedAndGoneOnWithTheRecordsAreTheSame) {
  const Study whole = folder_.study();
  run(whole);
  Study stopped = whole;
  stopped.out = folder_.path("stopped");
  int stops = 0;
  for (bool is_over = false; !is_over;) {
    std::atomic<bool> stop = false;
    int steps = 0;
    StudyHooks hooks;
    hooks.run.watch.is_cancelled = [&] { return stop.load(); };
    hooks.run.on_step = [&](const train::StepReport&) { stop = ++steps == 29; };
    try {
      run(stopped, hooks);
      is_over = true;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::kInterrupted);
      EXPECT_EQ(error.remedies(),
                std::vector<Remedy>{remedy::act(RemedyAction::kResume, "to go on")});
      ++stops;
    }
    ASSERT_LT(stops, 100);
  }
  EXPECT_GT(stops, 1);
  EXPECT_EQ(lines(stopped), lines(whole));
}

TEST_F(RunnerTest, ADamagedLastLineIsNoticedAndItsRunDoneAgain) {
  const Study study = folder_.study();
  run(study);
  const auto before = lines(study);
  const auto bytes = std::filesystem::file_size(journal_path(study));
  std::filesystem::resize_file(journal_path(study), bytes - 40);
  std::string said;
  StudyHooks hooks;
  hooks.on_remark = [&](const std::string& text) { said += text; };
  const StudyResult result = run(study, hooks);
  EXPECT_EQ(result.done, 1u);
  EXPECT_NE(said.find("was cut short"), std::string::npos) << said;
  EXPECT_EQ(lines(study), before);
}

TEST_F(RunnerTest, AScoringThatLeftNoRecordIsCounted) {
  const Study study = folder_.study();
  const Task task = tasks_of(study).front();
  ThreadPool threads(1);
  const auto scorings = [&] {
    return run_task(task, {.out = study.out}, {}, threads).test_scorings;
  };
  EXPECT_EQ(scorings(), 1u);
  EXPECT_EQ(scorings(), 2u) << "killed before the record was kept";
  finish_run(task.key, study.out);
  EXPECT_EQ(scorings(), 1u);
}

TEST_F(RunnerTest, SettingsThatChangedAreRefused) {
  run(folder_.study());
  const std::string said = refusal(folder_.study("[settings.dlinear]\nepochs = 3"));
  EXPECT_NE(said.find("'dlinear load 4 1' was done with training.epochs 2, and is now to have 3"),
            std::string::npos)
      << said;
  EXPECT_EQ(refusal(folder_.study("[settings.dlinear]\ncheckpoint-seconds = 5")), "none");
}

TEST_F(RunnerTest, RowsThatChangedAreRefused) {
  run(folder_.study());
  Study more = folder_.study();
  more.seeds.push_back(3);
  std::string rows = folder_.read("load.csv");
  rows[rows.size() - 2] = rows[rows.size() - 2] == '1' ? '2' : '1';
  folder_.write("load.csv", rows);
  const std::string said = refusal(more);
  EXPECT_NE(said.find("its rows are others than those of the runs in"), std::string::npos) << said;
}

TEST_F(RunnerTest, RowsThatAreTooFewForTestAreKnownBeforeTraining) {
  Study study = folder_.study();
  study.datasets.front().horizons = {61};
  const std::string said = refusal(study);
  EXPECT_NE(said.find("test"), std::string::npos) << said;
  EXPECT_FALSE(std::filesystem::exists(study.out / "unfinished" / "dlinear_load_61_1.checkpoint"));
}

TEST_F(RunnerTest, AFaultOfTheRowsSaysWhatToWriteIntoTheStudy) {
  std::string rows = folder_.read("load.csv");
  const std::size_t cell = rows.rfind(',', rows.size() / 2);
  rows.erase(cell + 1, rows.find_first_of(",\n", cell + 1) - cell - 1);
  folder_.write("load.csv", rows);
  const std::string said = refusal(folder_.study());
  EXPECT_NE(said.find("fill = \"linear\" draws a straight line"), std::string::npos) << said;
  EXPECT_NE(said.find("A study has settings of all its runs in [settings]"), std::string::npos)
      << said;
}

// Resuming is what a study always does.
TEST_F(RunnerTest, ADamagedCheckpointSaysHowAStudyStartsOver) {
  const Study study = folder_.study();
  std::filesystem::create_directories(study.out / "unfinished");
  for (const Task& task : tasks_of(study)) {
    std::ofstream(study.out / "unfinished" / (file_stem(task.key) + ".checkpoint")) << "noise";
  }
  const std::string said = refusal(study);
  EXPECT_NE(said.find("checkpoint"), std::string::npos) << said;
  EXPECT_NE(said.find("Delete it, or give the study another 'out' to start over"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find("[settings]"), std::string::npos) << said;
}

// Ours, written as any program would, score as ours.
TEST_F(RunnerTest, ForecastsOfOthersAreScoredOnTheSameWindows) {
  Study study = folder_.study("", "keep-forecasts = true");
  run(study);
  const std::filesystem::path kept = study.out / "forecasts" / "pulse-dlinear_load_8_2.csv";
  study.forecasts.push_back({"other", kept, "load", 8});
  const StudyResult result = run(study);
  EXPECT_EQ(result.done, 1u);
  EXPECT_EQ(result.found, 8u);
  const Journal journal(journal_path(study));
  const RunRecord* other = journal.find({"other", "load", 8, 0});
  const RunRecord* ours = journal.find({"pulse:dlinear", "load", 8, 2});
  ASSERT_TRUE(other != nullptr && ours != nullptr);
  EXPECT_TRUE(other->is_outside);
  EXPECT_DOUBLE_EQ(other->mse, ours->mse);
  EXPECT_DOUBLE_EQ(other->mae, ours->mae);
  EXPECT_EQ(other->test_windows, ours->test_windows);
  EXPECT_EQ(read_errors(study.out / other->errors).squared,
            read_errors(study.out / ours->errors).squared);

  EXPECT_EQ(run(study).found, 9u) << "the same file is not scored again";
}

TEST_F(RunnerTest, ForecastsThatAreMissingAreCountedAndRefused) {
  Study study = folder_.study("", "keep-forecasts = true");
  run(study);
  std::string text;
  {
    std::ifstream stream(study.out / "forecasts" / "dlinear_load_4_1.csv");
    text = {std::istreambuf_iterator<char>(stream), {}};
  }
  const auto refusal_of = [&](const std::string& csv) {
    folder_.write("other.csv", csv);
    Study with = study;
    with.forecasts.push_back({"other", folder_.path("other.csv"), "load", 4});
    return refusal(with);
  };
  const std::size_t header = text.find('\n') + 1;
  const std::size_t second = text.find('\n', header) + 1;
  const std::string one_less = refusal_of(text.substr(0, header) + text.substr(second));
  EXPECT_NE(one_less.find("1 of 456 forecasts are missing, in 1 of 57 windows; the first is "
                          "that of c1 at 2024-01-11 00:00:00 with cutoff 2024-01-10 23:00:00"),
            std::string::npos)
      << one_less;
  const std::string twice = refusal_of(text + text.substr(header, second - header));
  EXPECT_NE(twice.find("a second forecast of c1 with the same ds and cutoff"), std::string::npos)
      << twice;
  const std::string no_cutoff = refusal_of("unique_id,ds,yhat\nc1,2024-01-11,1\n");
  EXPECT_NE(no_cutoff.find("cutoff"), std::string::npos) << no_cutoff;
  // More than is asked for does no harm.
  EXPECT_EQ(refusal_of(text + "c1,2031-01-01 00:00:00,2030-12-31 23:00:00,1\n" +
                       "c9,2024-01-11 00:00:00,2024-01-10 23:00:00,1\n"),
            "none");
}

}  // namespace
}  // namespace pulsecast::benchmark
