#include "pulsecast/benchmark/sweep.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pulsecast/base/error.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/runner.h"
#include "pulsecast/benchmark/sweep_report.h"
#include "pulsecast/benchmark/testing.h"

namespace pulsecast::benchmark {
namespace {

class SweepTest : public ::testing::Test {
 protected:
  std::string refused(const std::string& vary) const {
    try {
      make_sweep(study_, vary);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "taken";
  }

  static RunRecord record(const std::string& model, std::int64_t horizon, double validation,
                          double mse) {
    RunRecord record;
    record.key = {model, "load", horizon, 1};
    record.validation_mse = {9.0, validation, 8.0};
    record.best_epoch = 2;
    record.mse = mse;
    record.mae = mse / 2;
    return record;
  }

  testing::StudyFolder folder_;
  Study study_ = folder_.study("[settings.dlinear]\nbatch = 7\n");
};

TEST_F(SweepTest, EveryModelAtEveryValue) {
  const Sweep sweep = make_sweep(study_, "width=8, 16");
  EXPECT_EQ(sweep.setting, "width");
  EXPECT_EQ(sweep.values, (std::vector<std::string>{"8", "16"}));
  EXPECT_EQ(sweep.study.out.filename(), "sweep-width");
  const std::vector<Task> tasks = tasks_of(sweep.study);
  ASSERT_EQ(tasks.size(), 2u * 2u * 2u * 2u);
  EXPECT_EQ(tasks[0].key.model, "dlinear width=8");
  EXPECT_EQ(tasks[0].base.settings.model.width, 8);
  EXPECT_EQ(tasks[0].base.settings.training.batch, 7) << "what the model had is kept";
  EXPECT_EQ(tasks[1].base.settings.model.width, 16);
  EXPECT_EQ(tasks[3].key.model, "pulse:dlinear width=16");
}

TEST_F(SweepTest, MistakesSayWhatWasMeant) {
  EXPECT_NE(refused("width").find("such as width=8,16,32"), std::string::npos);
  EXPECT_NE(refused("width=").find("such as width=8,16,32"), std::string::npos);
  EXPECT_NE(refused("widht=8").find("Did you mean 'width'?"), std::string::npos);
  EXPECT_NE(refused("width=8,,16").find("width"), std::string::npos);
  EXPECT_NE(refused("width=8,many").find("'many'"), std::string::npos);
  EXPECT_NE(refused("width=8,16,8").find("8 is there twice"), std::string::npos);
  EXPECT_NE(refused("horizon=8,16").find("say it with horizons"), std::string::npos);
}

TEST_F(SweepTest, ValidationChoosesAndTestIsSaid) {
  const Sweep sweep = make_sweep(study_, "width=8,16");
  const std::vector<RunRecord> records = {
      record("dlinear width=8", 4, 0.3, 0.6), record("dlinear width=16", 4, 0.4, 0.5),
      record("dlinear width=8", 8, 0.5, 0.8), record("pulse:dlinear width=16", 4, 0.1, 0.1)};
  const std::vector<SweepLine> lines = sweep_lines(sweep, records);
  ASSERT_EQ(lines.size(), 6u) << "two models, two horizons and their mean";
  EXPECT_EQ(best_validated(lines[0]), 0u);
  EXPECT_EQ(lines[2].horizon, 0);
  EXPECT_DOUBLE_EQ(lines[2].points[0].mse.mean, 0.7);
  EXPECT_EQ(lines[2].points[1].seeds, 0u) << "a mean wants every horizon";
  EXPECT_EQ(best_validated(lines[4]), std::nullopt);

  const std::string markdown = to_markdown(sweep, lines);
  EXPECT_NE(markdown.find("4 runs finished, 12 still missing"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("8 validates best, with a test MSE of 0.6000; over the values it goes "
                          "from 0.5000 (16) to 0.6000 (8), 20.0 % apart"),
            std::string::npos)
      << markdown;
  const auto json = nlohmann::json::parse(to_json(sweep, lines));
  EXPECT_EQ(json["curves"][0]["validates_best"], "8");
  EXPECT_EQ(json["curves"][5]["validates_best"], nullptr);
  EXPECT_NE(to_csv(sweep, lines).find("load,dlinear,4,width,16,1,0.4,0.5,0,0.25,0,0\n"),
            std::string::npos)
      << to_csv(sweep, lines);
  EXPECT_NE(to_page(sweep, lines, {}).find(">16</text>"), std::string::npos);
  EXPECT_NE(markdown.find("![test MSE by width](dlinear_load.svg)"), std::string::npos) << markdown;
}

TEST_F(SweepTest, ChartsAreFilesToo) {
  const Sweep sweep = make_sweep(study_, "width=8,16");
  std::filesystem::create_directories(sweep.study.out);
  {
    Journal journal(journal_path(sweep.study));
    journal.append(record("pulse:dlinear width=8", 4, 0.3, 0.6));
    journal.append(record("pulse:dlinear width=16", 4, 0.4, 0.5));
  }
  write_report(sweep);
  std::ifstream file(sweep.study.out / "pulse-dlinear_load.svg");
  const std::string svg(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(svg.starts_with("<svg xmlns='http://www.w3.org/2000/svg' ")) << svg;
  EXPECT_NE(svg.find(".series-0 {"), std::string::npos) << "it has its own colours";
  EXPECT_TRUE(svg.ends_with("</svg>\n")) << svg;
  EXPECT_FALSE(std::filesystem::exists(sweep.study.out / "dlinear_load.svg")) << "nothing to draw";
}

TEST_F(SweepTest, WordsStandBesideEachOther) {
  const Sweep sweep = make_sweep(study_, "loss=mse,mae");
  const std::vector<SweepLine> lines = sweep_lines(
      sweep, {record("dlinear loss=mse", 4, 0.3, 0.6), record("dlinear loss=mae", 4, 0.4, 0.5)});
  EXPECT_NE(to_page(sweep, lines, {}).find(">mae</text>"), std::string::npos);
}

}  // namespace
}  // namespace pulsecast::benchmark
