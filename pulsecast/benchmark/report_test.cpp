#include "pulsecast/benchmark/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/runner.h"
#include "pulsecast/benchmark/testing.h"
#include "pulsecast/benchmark/window_errors.h"

namespace pulsecast::benchmark {
namespace {

constexpr std::size_t kWindows = 60;

// Records of runs that nobody ran, with errors that are known.
class ReportTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(study_.out / "errors"); }

  void add(const std::string& model, std::int64_t horizon, std::int64_t seed, double mse) {
    RunRecord record;
    record.key = {model, "load", horizon, seed};
    record.mse = mse;
    record.mae = mse / 2;
    record.weights = 1000;
    record.flops = 2'000'000;
    record.seconds = static_cast<double>(++clock_);  // whatever a machine happened to take
    record.version = "pulsecast 0.0";
    record.cpu = "a CPU";
    record.settings = {{"training.epochs", "3"}};
    record.test_windows = kWindows;
    record.mase = {{1, 2 * mse, 3 * mse}, {24, mse, mse}};
    record.baselines = {{"naive", 2.0, 1.0}, {"drift", 3.0, 1.5}};
    record.errors = "errors/" + file_stem(record.key) + ".safetensors";
    WindowErrors errors;
    const random::Stream stream{.seed = static_cast<std::uint64_t>(seed), .step = 5};
    for (std::size_t i = 0; i < kWindows; ++i) {
      const double noise = 0.02 * random::normal(stream, i + (model == "dlinear" ? 0 : kWindows));
      errors.first_rows.push_back(static_cast<double>(240 + i % (kWindows / series_)));
      errors.squared.push_back(static_cast<float>(mse + noise));
      errors.absolute.push_back(static_cast<float>(mse / 2 + noise));
    }
    errors.example = {.channel = "c1", .history = {1, 2}, .truth = {3}, .forecast = {2.5}};
    write_errors(study_.out / record.errors, errors);
    Journal(journal_path(study_)).append(record);
  }

  void add_all() {
    add("dlinear", 4, 1, 0.5);
    add("dlinear", 4, 2, 0.7);
    add("dlinear", 8, 1, 0.8);
    add("dlinear", 8, 2, 0.8);
    add("pulse:dlinear", 4, 1, 0.4);
    add("pulse:dlinear", 4, 2, 0.4);
    add("pulse:dlinear", 8, 1, 0.9);
    add("pulse:dlinear", 8, 2, 0.9);
  }

  Standings standings() const {
    return make_standings(study_, read_journal(journal_path(study_)).records);
  }

  int clock_ = 0;
  pulsecast::testing::StudyFolder folder_;
  const Study study_ = folder_.study();
  std::size_t series_ = 1;  // that have a window at each row
};

TEST_F(ReportTest, MeansSpreadsRanksAndFirsts) {
  add_all();
  const Standings all = standings();
  ASSERT_EQ(all.rows.size(), 3u) << "two horizons and their mean";
  EXPECT_EQ(all.runs, 8u);
  EXPECT_EQ(all.missing, 0u);
  const Standing& first = all.rows[0].standings[0];
  EXPECT_NEAR(first.mse.mean, 0.6, 1e-12);
  EXPECT_NEAR(first.mse.spread, std::sqrt(0.02), 1e-12);
  EXPECT_EQ(first.mse_rank, 2u);
  EXPECT_EQ(all.rows[0].standings[1].mse_rank, 1u);
  EXPECT_EQ(all.rows[2].horizon, 0);
  EXPECT_NEAR(all.rows[2].standings[0].mse.mean, 0.7, 1e-12);
  // Seed by seed over the horizons: 0.65 and 0.75.
  EXPECT_NEAR(all.rows[2].standings[0].mse.spread, std::sqrt(0.005), 1e-12);
  EXPECT_NEAR(all.rows[2].standings[1].mse.mean, 0.65, 1e-12);
  EXPECT_NEAR(all.rows[2].baselines[1].mse, 3.0, 1e-12);
  EXPECT_EQ(all.mse_firsts, (std::vector<std::size_t>{1, 1})) << "means do not count";
  ASSERT_EQ(all.rows[2].standings[0].mase.size(), 2u);
  EXPECT_NEAR(all.rows[0].standings[0].mase[0].paper, 1.2, 1e-12);
  EXPECT_NEAR(all.rows[2].standings[0].mase[0].usual, 2.1, 1e-12);
}

TEST_F(ReportTest, PromotionsAndTheirPValues) {
  add_all();
  const Standings all = standings();
  ASSERT_EQ(all.comparisons.size(), 2u);
  const Comparison& better = all.comparisons[0];
  EXPECT_EQ(better.model, "pulse:dlinear");
  EXPECT_EQ(better.original, "dlinear");
  EXPECT_NEAR(better.mse_promotion, 100.0 * 0.2 / 0.6, 1e-9);
  ASSERT_TRUE(better.squared && better.absolute);
  EXPECT_LT(better.squared->mean_difference, -0.15);
  EXPECT_LT(better.squared->p_value, 1e-6);
  EXPECT_NEAR(all.comparisons[1].mse_promotion, -12.5, 1e-9);
  EXPECT_GT(all.comparisons[1].squared->mean_difference, 0.0);
}

// Windows of many series at one row are one piece of evidence.
TEST_F(ReportTest, OfAPanelARowIsTestedOnce) {
  series_ = 3;
  add_all();
  const Standings all = standings();
  ASSERT_TRUE(all.comparisons[0].squared);
  EXPECT_EQ(all.comparisons[0].squared->windows, kWindows / 3);
  EXPECT_LT(all.comparisons[0].squared->mean_difference, -0.15);
}

TEST_F(ReportTest, WhatIsNotThereIsSaidAndComparedWithNothing) {
  add("dlinear", 4, 1, 0.5);
  add("pulse:dlinear", 4, 2, 0.4);
  const Standings all = standings();
  EXPECT_EQ(all.runs, 2u);
  EXPECT_EQ(all.missing, 6u);
  EXPECT_TRUE(all.comparisons.empty()) << "they have no seed in common";
  EXPECT_EQ(all.rows[1].standings[0].seeds, 0u);
  EXPECT_EQ(all.rows[2].standings[0].seeds, 0u) << "no mean over some of the horizons";
  const std::string text = to_markdown(all);
  EXPECT_NE(text.find("2 runs finished, 6 still missing"), std::string::npos) << text;
  EXPECT_NE(text.find("| load | 8 | - | - | - | - |"), std::string::npos) << text;
}

TEST_F(ReportTest, MarkdownMarksTheBestAndTheSecond) {
  add_all();
  const std::string text = to_markdown(standings());
  for (const char* words :
       {"| load | 4 | <u>0.6000</u> ± 0.1414 | <u>0.3000</u> ± 0.0707 | **0.4000** ± 0.0000 |",
        "| load | mean | <u>0.7000</u>", "| times first | | 1 | 1 | 1 | 1 |",
        "| load | 4 | pulse:dlinear | dlinear | 2 | +33.3 % | < 0.0001 |",
        "| load | 4 | 60 | 2.0000 | 1.0000 | 3.0000 | 1.5000 | 0.4000 |",
        "| load | 4 | 24 | 0.6000 | 0.6000 | 0.4000 | 0.4000 |",
        "| load | mean | 1 | 2.1000 | 1.4000 | 1.9500 | 1.3000 |",
        "| load | 4 | dlinear | 1000 | 2 |"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

TEST_F(ReportTest, IsWrittenForPeopleAndPrograms) {
  add_all();
  const Report report = write_report(study_);
  EXPECT_EQ(folder_.read("out/report.md"), report.markdown);
  const auto json = nlohmann::json::parse(folder_.read("out/report.json"));
  EXPECT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["comparisons"][0]["squared"]["windows"], kWindows);
  const std::string csv = folder_.read("out/report.csv");
  EXPECT_NE(csv.find("load,8,pulse:dlinear,2,0.9,0,0.45,0,2.7,1.8,1000,2000000\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("load,8,naive,,2,,1,,,,,\n"), std::string::npos) << csv;
  const std::size_t commas = static_cast<std::size_t>(std::ranges::count(csv, ','));
  EXPECT_EQ(commas % 11, 0u) << "every row has twelve cells";
}

TEST_F(ReportTest, ThePageStandsAlone) {
  add_all();
  write_report(study_);
  const std::string page = folder_.read("out/report.html");
  for (const char* words :
       {"<!doctype html>", "width=device-width", "<b>0.4000</b>", "<u>0.6000</u>",
        "Error by horizon", "Accuracy against weights", "Forecasts over what came", "Scaled errors",
        "<td>24</td>", "pulse:dlinear", "What costs nothing", "<td>3.0000</td><td>1.5000</td>",
        "What they cost", "<td>1000</td><td>2</td>", "pulsecast 0.0", "a CPU",
        "training.epochs = 3", "move the table sideways"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
  for (const char* words : {"<script", "http:", "https:", "src=", "url(", "@import"}) {
    EXPECT_EQ(page.find(words), std::string::npos) << words;
  }
  std::size_t drawings = 0;
  for (std::size_t at = 0; (at = page.find("<svg", at)) != std::string::npos; ++at) ++drawings;
  EXPECT_EQ(drawings, 4u) << "a window, errors by horizon, weights and operations";
}

// Two who train the same get the same files; what it took is in the records.
TEST_F(ReportTest, TheSameRunsMakeTheSameFilesWhateverTheyTook) {
  add_all();
  write_report(study_);
  std::vector<std::string> files;
  for (const char* end : {"md", "csv", "json", "html"}) {
    files.push_back(folder_.read(std::string("out/report.") + end));
  }
  std::filesystem::remove(journal_path(study_));
  clock_ = 1000;
  add_all();
  write_report(study_);
  for (std::size_t i = 0; const char* end : {"md", "csv", "json", "html"}) {
    EXPECT_EQ(folder_.read(std::string("out/report.") + end), files[i++]) << end;
  }
}

TEST_F(ReportTest, AModelKeepsItsColourInEveryChart) {
  add_all();
  write_report(study_);
  const std::string page = folder_.read("out/report.html");
  // The second column's, wherever it is drawn: four charts with two models each.
  std::map<std::string, std::set<std::string>> colours;
  for (std::size_t at = page.find("<svg"); at != std::string::npos;
       at = page.find("<svg", at + 1)) {
    const std::string chart = page.substr(at, page.find("</svg>", at) - at);
    for (const char* model : {"dlinear", "pulse:dlinear"}) {
      const std::size_t name = chart.find(std::string(">") + model + "<");
      ASSERT_NE(name, std::string::npos) << chart;
      const std::size_t colour = chart.rfind("series-", name);
      colours[model].insert(chart.substr(colour, 8));
    }
  }
  EXPECT_EQ(colours["dlinear"], std::set<std::string>{"series-0"});
  EXPECT_EQ(colours["pulse:dlinear"], std::set<std::string>{"series-1"});
}

TEST_F(ReportTest, OfNothingIsRefused) {
  try {
    write_report(study_);
    ADD_FAILURE() << "reported";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
}

// A report looks and does not touch: a run may be writing.
TEST_F(ReportTest, ALineThatIsCutShortIsPassedOver) {
  add_all();
  const auto bytes = std::filesystem::file_size(journal_path(study_)) - 10;
  std::filesystem::resize_file(journal_path(study_), bytes);
  EXPECT_EQ(write_report(study_).missing, 1u);
  EXPECT_EQ(std::filesystem::file_size(journal_path(study_)), bytes);
}

}  // namespace
}  // namespace pulsecast::benchmark
