// pulsecast completion and pulsecast man: what shells and man(1) make of them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/run_program.h"

namespace pulsecast {
namespace {

using testing::contents;
using testing::Outcome;
using testing::run_program;
using testing::ScratchFolder;
using Lines = std::vector<std::string>;

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class ShellVerbs : public ::testing::Test {
 protected:
  // What `command` prints, run in the scratch folder.
  std::string printed(const std::string& command) {
    const std::string out = folder_.file("printed");
    EXPECT_EQ(
        std::system(
            fmt::format("cd '{}' && {{ {}; }} > printed 2>&1", folder_.path(), command).c_str()),
        0)
        << command << "\n"
        << contents(out);
    return contents(out);
  }

  // What bash offers after the words, as it cuts them: `words` is a list of quoted words, of which
  // the last is being typed.
  Lines offered(const std::string& words) {
    if (!std::filesystem::exists(folder_.file("script"))) {
      printed(fmt::format("'{}' completion bash > script", PULSECAST_PROGRAM));
    }
    std::ofstream(folder_.file("ask"))
        << ". ./script\nCOMP_WORDS=(pulsecast " << words << ")\n"
        << "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_pulsecast\n"
        << "[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return lines_of(printed("bash ask"));
  }

  ScratchFolder folder_;
};

TEST_F(ShellVerbs, BashCompletesVerbs) {
  EXPECT_EQ(offered("tr"), Lines{"train"});
  EXPECT_EQ(offered("data ''"), (Lines{"make", "list", "verify"}));
  EXPECT_EQ(offered("completion ''"), (Lines{"bash", "fish", "zsh"}));
  EXPECT_EQ(offered("help bench"), Lines{"benchmark"});
  const Lines all = offered("''");
  const std::set<std::string> verbs(all.begin(), all.end());
  EXPECT_TRUE(verbs.contains("forecast"));
  EXPECT_TRUE(verbs.contains("help"));
  EXPECT_FALSE(verbs.contains("make"));
}

TEST_F(ShellVerbs, BashCompletesFlagsOfTheVerb) {
  EXPECT_EQ(offered("forecast --comp"), Lines{"--components"});
  EXPECT_EQ(offered("data make --regim"), Lines{"--regimes"});
  EXPECT_EQ(offered("train --no-anc"), Lines{"--no-anchor"});
  EXPECT_EQ(offered("check --components"), Lines{});
}

TEST_F(ShellVerbs, BashCompletesWordsOfFlags) {
  EXPECT_EQ(offered("train load.csv --fill lin"), Lines{"linear"});
  EXPECT_EQ(offered("train --fill = lin"), Lines{"linear"});
  EXPECT_EQ(offered("train --recipe ETTh"), (Lines{"ETTh1", "ETTh2"}));
  EXPECT_EQ(offered("train --lookback ''"), Lines{});
}

// Every setting of `train` that has choices, from the declarations.
TEST_F(ShellVerbs, BashKnowsTheChoicesOfEverySetting) {
  const auto settings = nlohmann::json::parse(run_program("settings --json", folder_).out);
  const std::string help = run_program("train --help", folder_).out;
  int checked = 0;
  for (const auto& setting : settings["settings"]) {
    const std::string flag = "--" + setting["name"].get<std::string>();
    if (setting["choices"].empty() || help.find("  " + flag + " ") == std::string::npos) continue;
    Lines choices;
    for (const auto& choice : setting["choices"]) choices.push_back(choice["name"]);
    EXPECT_EQ(offered("train " + flag + " ''"), choices) << flag;
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

TEST_F(ShellVerbs, BashCompletesFilesAndFolders) {
  std::filesystem::create_directory(folder_.file("some folder"));
  std::ofstream(folder_.file("some rows.csv")) << "1\n";
  EXPECT_EQ(offered("check some"), (Lines{"some folder", "some rows.csv"}));
  EXPECT_EQ(offered("forecast a.model some"), (Lines{"some folder", "some rows.csv"}));
  EXPECT_EQ(offered("forecast --out some"), (Lines{"some folder", "some rows.csv"}));
  EXPECT_EQ(offered("data verify some"), Lines{"some folder"});
}

TEST_F(ShellVerbs, ZshReadsItsCompletion) {
  if (!is_installed("zsh")) GTEST_SKIP() << "there is no zsh here";
  printed(fmt::format("'{}' completion zsh > script && zsh -n script", PULSECAST_PROGRAM));
}

TEST_F(ShellVerbs, FishCompletes) {
  if (!is_installed("fish")) GTEST_SKIP() << "there is no fish here";
  printed(fmt::format("'{}' completion fish > script && fish -n script", PULSECAST_PROGRAM));
  const auto ask = [&](const std::string& line) {
    return printed(fmt::format("fish --no-config -c \"source script; complete -C '{}'\"", line));
  };
  EXPECT_TRUE(ask("pulsecast tr").starts_with("train\t"));
  EXPECT_TRUE(ask("pulsecast data mak").starts_with("make\t"));
  EXPECT_TRUE(ask("pulsecast train --fill lin").starts_with("linear"));
  EXPECT_TRUE(ask("pulsecast forecast --comp").starts_with("--components\t"));
}

TEST_F(ShellVerbs, AShellThatIsNoneIsRefused) {
  const Outcome outcome = run_program("completion tcsh", folder_);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("bash"), std::string::npos) << outcome.err;
}

// A page for the program, for each group and for each verb, that man(1) reads without a warning.
TEST_F(ShellVerbs, TheManualIsWhole) {
  ASSERT_EQ(run_program("man --folder '" + folder_.file("pages") + "'", folder_).exit_code, 0);
  std::set<std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.file("pages"))) {
    pages.insert(entry.path().filename().string());
    const std::string text = contents(entry.path().string());
    EXPECT_TRUE(text.starts_with(".TH PULSECAST")) << entry.path();
    for (const char* section : {".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n"}) {
      EXPECT_NE(text.find(section), std::string::npos) << entry.path() << section;
    }
    if (!is_installed("groff")) continue;
    EXPECT_EQ(printed(fmt::format("groff -man -ww -z -Tutf8 '{}'", entry.path().string())), "");
  }
  const auto expect_page = [&](const std::string& name) {
    EXPECT_TRUE(pages.contains("pulsecast-" + name + ".1")) << name;
  };
  EXPECT_TRUE(pages.contains("pulsecast.1"));
  for (const char* group : {"", "data "}) {
    for (const std::string& verb : offered(std::string(group) + "''")) {
      if (verb != "help") expect_page((*group == '\0' ? "" : "data-") + verb);
    }
  }
}

TEST_F(ShellVerbs, APageSaysWhatTheVerbDeclared) {
  const std::string page = run_program("man data make", folder_).out;
  EXPECT_NE(page.find("pulsecast\\-data\\-make \\- "), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-\\-regimes\\fR"), std::string::npos) << page;
  EXPECT_NE(page.find("pulsecast data make"), std::string::npos) << page;
  const Outcome unknown = run_program("man tarin", folder_);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("tarin"), std::string::npos);
}

}  // namespace
}  // namespace pulsecast
