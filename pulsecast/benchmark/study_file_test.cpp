#include "pulsecast/benchmark/study_file.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/settings/published.h"

namespace pulsecast::benchmark {
namespace {

constexpr const char* kSmall = R"(
out = "results"
models = ["dlinear", "pulse:dlinear", "frame:dlinear", "pulse"]
horizons = [96, 192]
[[datasets]]
name = "ETTh1"
file = "ETTh1.csv"
[[datasets]]
name = "load"
file = "load.csv"
horizons = [12]
settings = { time-zone = "Europe/Berlin" }
)";

Study parse(const std::string& text) { return parse_study(text, "folder/study.toml"); }

// The message for a study that cannot be.
std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "none";
}

void expect_refusal(const std::string& text, const std::string& words) {
  const std::string message = refusal(text);
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(StudyFile, SaysWhatIsToBeCompared) {
  const Study study = parse(kSmall);
  EXPECT_EQ(study.out, "folder/results");
  EXPECT_EQ(study.datasets[1].file, "folder/load.csv");
  EXPECT_EQ(study.seeds, std::vector<std::int64_t>{2024});
  const std::vector<Task> tasks = tasks_of(study);
  ASSERT_EQ(tasks.size(), 4u * 2 + 4u);
  EXPECT_EQ(to_text(tasks.front().key), "dlinear ETTh1 96 2024");
  EXPECT_EQ(to_text(tasks.back().key), "pulse load 12 2024");
  EXPECT_EQ(file_stem(tasks[1].key), "pulse-dlinear_ETTh1_96_2024");
}

TEST(StudyFile, ANameOfThePaperBringsItsProtocol) {
  const std::vector<Task> tasks = tasks_of(parse(kSmall));
  const Settings& alone = tasks[0].base.settings;
  EXPECT_EQ(backbone_alone(alone.model.model), BackboneKind::kDLinear);
  EXPECT_EQ(alone.training.loss, LossKind::kSquared);
  EXPECT_EQ(alone.data.split, "ETTh1");
  EXPECT_EQ(alone.data.grid, Grid::kRows);
  const Settings& inside = tasks[1].base.settings;
  EXPECT_EQ(inside.model.model, ModelKind::kPulse);
  EXPECT_EQ(inside.model.backbone, BackboneKind::kDLinear);
  EXPECT_EQ(inside.model.codebook_rows, 96);
  EXPECT_TRUE(inside.model.anchor && inside.model.router);
  const Settings& frame = tasks[2].base.settings;
  EXPECT_FALSE(frame.model.anchor || frame.model.router);
  EXPECT_EQ(frame.training.loss, LossKind::kFrequency);
  EXPECT_EQ(frame.training.mixup, Mixup::kStatisticAware);
  EXPECT_EQ(tasks[3].base.settings.model.backbone, BackboneKind::kMlp);
  EXPECT_NE(tasks[0].base.protocol.find("recipe at horizon 96; dlinear as in"), std::string::npos)
      << tasks[0].base.protocol;
}

TEST(StudyFile, ABackboneKeepsItsPublishedSizesInsidePulse) {
  const std::vector<Task> tasks = tasks_of(
      parse("out = 'o'\nmodels = ['patchtst', 'pulse:patchtst', 'frame:patchtst', 'pulse']\n"
            "horizons = [96]\n[[datasets]]\nname = 'ETTh1'\nfile = 'f'"));
  const Settings& alone = tasks[0].base.settings;
  for (std::size_t i = 1; i <= 2; ++i) {
    const BaseSettings& around = tasks[i].base;
    EXPECT_EQ(around.settings.model.width, alone.model.width);
    EXPECT_EQ(around.settings.model.layers, alone.model.layers);
    EXPECT_EQ(around.settings.model.backbone_dropout, alone.model.backbone_dropout);
    EXPECT_EQ(around.settings.training.loss, LossKind::kFrequency);
    EXPECT_EQ(around.settings.training.learning_rate,
              inside_training(BackboneKind::kPatchTst)->learning_rate);
    EXPECT_NE(around.protocol.find("sizes of patchtst as in"), std::string::npos);
  }
  EXPECT_EQ(tasks[3].base.protocol.find("sizes of"), std::string::npos);
}

TEST(StudyFile, OtherDataHoldAFifthOut) {
  const Task task = tasks_of(parse(kSmall)).back();
  EXPECT_EQ(task.base.settings.data.split, "0.7,0.1,0.2");
  EXPECT_EQ(task.base.settings.data.time_zone, "Europe/Berlin");
  EXPECT_NE(task.base.protocol.find("20 % held out for test"), std::string::npos);
}

TEST(StudyFile, AHorizonWithoutRecipeKeepsThePapersSplit) {
  const Study study = parse(
      "out = 'o'\nmodels = ['pulse']\nhorizons = [24]\n[[datasets]]\nname = 'ETTm1'\nfile = 'f'");
  const Task task = tasks_of(study).front();
  EXPECT_EQ(task.base.settings.data.split, "ETTm1");
  EXPECT_EQ(task.base.settings.data.period, 96);
  EXPECT_NE(task.base.protocol.find("no recipe at horizon 24"), std::string::npos);
}

TEST(StudyFile, SettingsOfAModelWinOverThoseOfADatasetAndOfAll) {
  const std::string text = std::string(kSmall) + R"(
[settings]
epochs = 7
lookback = 336
[settings."pulse:dlinear"]
epochs = 9
)";
  const std::vector<Task> tasks = tasks_of(parse(text));
  EXPECT_EQ(tasks[0].base.settings.training.epochs, 7);
  EXPECT_EQ(tasks[0].base.settings.data.lookback, "336");
  EXPECT_EQ(tasks[1].base.settings.training.epochs, 9);
}

TEST(StudyFile, SaysWhereAndWhatIsWrong) {
  const std::string small = kSmall;
  expect_refusal(small + "[settings]\nepoch = 1", "study.toml:14:9: ");
  expect_refusal(small + "[settings]\nepoch = 1", "Did you mean 'epochs'?");
  expect_refusal(small + "[settings]\nepochs = 'many'", "setting 'epochs' takes");
  expect_refusal(small + "[settings]\nseed = 1", "say it with seeds = [...]");
  expect_refusal(small + "[settings.'pulse:mlp']\nepochs = 1", "is for none of the models");
  expect_refusal("model = 1", "Did you mean 'models'?");
  expect_refusal("models = ['pulse']", "'out' is missing");
  expect_refusal("out = 'o'\nmodels = ['puls']", "Did you mean 'pulse'?");
  expect_refusal("out = 'o'\nmodels = ['pulse', 'pulse']", "'pulse' is there twice");
  expect_refusal("out = 'o'\nmodels = ['pulse']", "there is no [[datasets]]");
  expect_refusal("out = 'o'\nmodels = ['pulse']\n[[datasets]]\nname = 'a'", "'file' is missing");
  expect_refusal("out = 'o'\nmodels = ['pulse']\n[[datasets]]\nname = 'a'\nfile = 'a'",
                 "'horizons' is missing");
  expect_refusal(
      "out = 'o'\nmodels = ['pulse']\nhorizons = [0]\n[[datasets]]\nname = 'a'\n"
      "file = 'a'",
      "whole numbers from 1 on");
  expect_refusal("out = [", "not valid TOML");
}

TEST(StudyFile, ForecastsOfOthersBelongToADatasetAndHorizon) {
  const std::string text = std::string(kSmall) + "[[forecasts]]\nname = 'arima'\nfile = 'a.csv'\n";
  expect_refusal(text, "'dataset' is missing");
  expect_refusal(text + "dataset = 'ETTh1'", "'horizon' is missing");
  expect_refusal(text + "dataset = 'ETTh1'\nhorizon = 12", "12 is none of the horizons of ETTh1");
  expect_refusal(text + "dataset = 'ETTh2'", "Did you mean 'ETTh1'?");
  const Study study = parse(text + "dataset = 'load'");
  EXPECT_EQ(study.forecasts.front().horizon, 12);
}

}  // namespace
}  // namespace pulsecast::benchmark
