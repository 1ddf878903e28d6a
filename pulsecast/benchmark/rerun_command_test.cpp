#include "pulsecast/benchmark/rerun_command.h"

#include <gtest/gtest.h>

#include <set>

#include "pulsecast/benchmark/testing.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/train/completion.h"

namespace pulsecast::benchmark {
namespace {

// Words of a command, as a shell cuts them; quotes hold blanks together.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (const char c : command) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == ' ' && !is_quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// What `pulsecast train` makes of the command's flags.
Settings settings_of_command(const std::string& command) {
  const std::vector<std::string> words = words_of(command.substr(0, command.find(" && ")));
  std::set<std::string> switches;
  for (const SettingInfo* info : every_setting()) {
    if (info->is_switch) switches.insert("--" + info->name);
  }
  Settings told;
  for (std::size_t i = 5; i < words.size(); ++i) {  // pulsecast train FILE --out MODEL
    const std::string& flag = words[i];
    if (switches.contains(flag)) {
      assign(told, flag.substr(2), "true");
    } else if (flag.starts_with("--no-") && switches.contains("--" + flag.substr(5))) {
      assign(told, flag.substr(5), "false");
    } else {
      assign(told, flag.substr(2), words.at(++i));
    }
  }
  return train::complete(told);
}

Study study_of(const std::string& more) {
  return parse_study(
      "out = 'o'\nmodels = ['pulse', 'patchtst', 'pulse:patchtst', 'frame:dlinear', 'sparsetsf']\n"
      "horizons = [96, 100]\nseeds = [1]\n[[datasets]]\nname = 'ETTh1'\nfile = 'a b.csv'\n"
      "[[datasets]]\nname = 'Solar'\nfile = 's.csv'\n[[datasets]]\nname = 'load'\nfile = "
      "'l.csv'\n" +
          more,
      "study.toml");
}

// Settings that a study changed back to what is usual elsewhere are told too.
TEST(RerunCommand, TrainsWithTheSettingsOfTheRun) {
  for (const char* more : {"",
                           "[settings]\nbatch = 32\nlearning-rate = 0.005\nwidth = 128\n"
                           "grid = 'time'\nknown = ['a', 'b']\nanchor = true\n"}) {
    for (const Task& task : tasks_of(study_of(more))) {
      const std::string command = rerun_command(task);
      EXPECT_EQ(setting_texts(settings_of_command(command)), setting_texts(task.base.settings))
          << command;
    }
  }
}

TEST(RerunCommand, SaysWhatDecidesAndNotWhatFollows) {
  const std::vector<Task> tasks = tasks_of(study_of(""));
  EXPECT_EQ(rerun_command(tasks[2]),
            "pulsecast train 'a b.csv' --out pulse-patchtst_ETTh1_96_1.model --horizon 96 "
            "--backbone patchtst --recipe ETTh1 --seed 1 && pulsecast evaluate "
            "pulse-patchtst_ETTh1_96_1.model 'a b.csv'");
}

}  // namespace
}  // namespace pulsecast::benchmark
