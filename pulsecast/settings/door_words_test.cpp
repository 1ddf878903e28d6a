#include "pulsecast/settings/door_words.h"

#include <gtest/gtest.h>

#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/config_file.h"
#include "pulsecast/settings/settings.h"
#include "pulsecast/settings/shell_word.h"

namespace pulsecast {
namespace {

constexpr auto kExample = Assignment::Value::kExample;

Remedy line() { return remedy::set("fill", "linear", "draws a line"); }
Remedy dropped() { return remedy::set("drop", "my 'own' column", "leaves it out"); }
Remedy switched() { return remedy::set("router", "false", "does without"); }
Remedy number() { return remedy::example("learning-rate", "0.001", "is slower"); }
Remedy stamps() {
  return remedy::together({{"start", "2012-05-01 00:00", kExample}, {"step", "5min", kExample}},
                          "gives them");
}

TEST(DoorWords, CommandLineWritesFlags) {
  const CommandLineWords words;
  EXPECT_EQ(to_text(line(), words), "--fill linear draws a line");
  EXPECT_EQ(to_text(dropped(), words), "--drop 'my '\\''own'\\'' column' leaves it out");
  EXPECT_EQ(to_text(switched(), words), "--no-router does without");
  EXPECT_EQ(to_text(remedy::set("router", "true", "routes"), words), "--router routes");
  EXPECT_EQ(to_text(number(), words), "--learning-rate 0.001, for example, is slower");
  EXPECT_EQ(to_text(stamps(), words),
            "--start '2012-05-01 00:00' --step 5min, for example, gives them");
  EXPECT_EQ(to_text(remedy::open("fill", "fills them"), words), "--fill fills them");
  EXPECT_EQ(to_text(remedy::open("drop", "leaves one out"), words), "--drop NAME leaves one out");
  EXPECT_EQ(to_text(remedy::smaller("lookback", "needs less"), words),
            "a smaller --lookback needs less");
  EXPECT_EQ(to_text(remedy::act(RemedyAction::kResume, "to go on"), words),
            "run the same command with --resume to go on");
  EXPECT_EQ(to_text(remedy::advice("give more rows"), words), "give more rows");
  EXPECT_EQ(to_text(Place("load.csv").about("time-column"), words), "load.csv: --time-column");
}

TEST(DoorWords, CommandLineAsksForEveryActionByAFlagOrAVerb) {
  const CommandLineWords words;
  for (const RemedyAction action :
       {RemedyAction::kResume, RemedyAction::kAllowOtherCpu, RemedyAction::kStartOver,
        RemedyAction::kScoreValidation, RemedyAction::kScoreTraining, RemedyAction::kRunStudy,
        RemedyAction::kCheckRows}) {
    const std::string text = words.action(action);
    EXPECT_TRUE(text.find(" --") != std::string::npos ||
                text.find("'pulsecast ") != std::string::npos)
        << name(action) << ": " << text;
  }
}

TEST(DoorWords, StudyWritesToml) {
  const StudyWords words;
  EXPECT_EQ(to_text(line(), words), "fill = \"linear\" draws a line");
  EXPECT_EQ(to_text(dropped(), words), "drop = [\"my 'own' column\"] leaves it out");
  EXPECT_EQ(to_text(switched(), words), "router = false does without");
  EXPECT_EQ(to_text(number(), words), "learning-rate = 0.001, for example, is slower");
  EXPECT_EQ(to_text(stamps(), words),
            "start = \"2012-05-01 00:00\" with step = \"5min\", for example, gives them");
  EXPECT_EQ(to_text(remedy::open("drop", "leaves one out"), words), "drop leaves one out");
  EXPECT_EQ(to_text(remedy::smaller("lookback", "needs less"), words),
            "a smaller lookback needs less");
  EXPECT_EQ(to_text(remedy::act(RemedyAction::kResume, "to go on"), words),
            "run the study again to go on");
  EXPECT_EQ(to_text(remedy::act(RemedyAction::kStartOver, "to start over"), words),
            "give the study another 'out' to start over");
  EXPECT_EQ(to_text(remedy::advice("give more rows"), words), "give more rows");
  EXPECT_EQ(to_text(Error(ErrorKind::kData, "a gap").with(line()), words),
            "a gap. fill = \"linear\" draws a line. A study has settings of all its runs in "
            "[settings], and of one dataset in its 'settings'");
}

TEST(DoorWords, PythonWritesKeywordArguments) {
  const PythonWords words;
  EXPECT_EQ(to_text(line(), words), "fill=\"linear\" draws a line");
  EXPECT_EQ(to_text(dropped(), words), "drop=[\"my 'own' column\"] leaves it out");
  EXPECT_EQ(to_text(switched(), words), "router=False does without");
  EXPECT_EQ(to_text(number(), words), "learning_rate=0.001, for example, is slower");
  EXPECT_EQ(to_text(stamps(), words),
            "start=\"2012-05-01 00:00\", step=\"5min\", for example, gives them");
  EXPECT_EQ(to_text(remedy::smaller("learning-rate", "is slower"), words),
            "a smaller learning_rate is slower");
  EXPECT_EQ(to_text(remedy::act(RemedyAction::kResume, "to go on"), words),
            "resume the run to go on");
  EXPECT_EQ(to_text(Place("load.csv").about("time-column"), words), "load.csv: time_column");
}

TEST(DoorWords, JsonPointsIntoTheSections) {
  const JsonWords words;
  EXPECT_EQ(to_text(line(), words), "/data/fill: \"linear\" draws a line");
  EXPECT_EQ(to_text(dropped(), words), "/data/drop: [\"my 'own' column\"] leaves it out");
  EXPECT_EQ(to_text(switched(), words), "/model/router: false does without");
  EXPECT_EQ(to_text(number(), words), "/training/learning-rate: 0.001, for example, is slower");
  EXPECT_EQ(to_text(remedy::open("fill", "fills them"), words), "/data/fill fills them");
  EXPECT_EQ(to_text(remedy::smaller("lookback", "needs less"), words),
            "a smaller /data/lookback needs less");
  EXPECT_EQ(to_text(Place::of_setting("start"), words), "/data/start");
}

TEST(DoorWords, WhatAStudyIsToldToWriteCanBeRead) {
  const std::string hostile = "a\\b \"c\"\td\x7f";
  Settings settings;
  const std::string text = "[data]\n" + StudyWords().assignment("drop", hostile) + "\n" +
                           StudyWords().assignment("lookback", "48") + "\n[model]\n" +
                           StudyWords().assignment("router", "false") + "\n";
  apply_config(text, "study.toml", bind_all(settings));
  EXPECT_EQ(settings.data.drop, std::vector<std::string>{hostile});
  EXPECT_EQ(settings.data.lookback, "48");
  EXPECT_FALSE(settings.model.router);
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("linear"), "linear");
  EXPECT_EQ(shell_word("my column"), "'my column'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace pulsecast
