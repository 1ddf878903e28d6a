// What the documents and --help show is what works: every command of them is run, as it is
// printed in terminals of three widths.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using Commands = std::vector<std::string>;

// A word that is wider than the terminal stays whole; everything else is broken.
bool fits(const std::string& line, std::size_t width) {
  const std::size_t first = line.find_first_not_of(' ');
  return line.size() <= width || line.find(' ', first) == std::string::npos;
}

// The commands below "Examples:", with what goes on after a backslash, without remarks.
Commands examples_in(const std::string& help) {
  Commands commands;
  std::istringstream stream(help.substr(help.find("Examples:\n") + 10));
  bool goes_on = false;
  for (std::string line; std::getline(stream, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.starts_with("# ") || line.empty()) continue;
    if (const std::size_t remark = line.find("  # "); remark != std::string::npos) {
      line.resize(line.find_last_not_of(' ', remark) + 1);
    }
    const bool is_cut = line.ends_with(" \\");
    if (is_cut) line.resize(line.size() - 1);
    if (goes_on) {
      commands.back() += line;
    } else {
      commands.push_back(line);
    }
    goes_on = is_cut;
  }
  return commands;
}

Commands shell_lines_in(const std::string& markdown) {
  Commands commands;
  const std::string open = "\n```sh\n";
  for (std::size_t at = markdown.find(open); at != std::string::npos;
       at = markdown.find(open, at)) {
    at += open.size();
    std::istringstream block(markdown.substr(at, markdown.find("```", at) - at));
    for (std::string line; std::getline(block, line);) {
      if (line.starts_with("pulsecast ")) commands.push_back(line);
    }
  }
  return commands;
}

class HelpVerbs : public ModelVerbs {
 protected:
  Outcome shell(const std::string& command) const {
    const std::string text = "cd '" + folder_.path() + "' && export HOME='" + folder_.path() +
                             "' PATH='" + folder_.file("bin") +
                             "':\"$PATH\" fpath=. && set -o pipefail\n" + command + "\n";
    const std::string script = write("command.sh", text);
    const int status = std::system(
        ("bash '" + script + "' > '" + folder_.file("out") + "' 2> '" + folder_.file("err") + "'")
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder_.file("out")),
            contents(folder_.file("err"))};
  }

  // Files that the documents speak of. Whoever trains does so for an epoch: what is tried is the
  // command, not the model.
  void lay_out_files() const {
    std::filesystem::create_directories(folder_.file("bin"));
    const std::string program = write(
        "bin/pulsecast",
        std::string("#!/bin/sh\ncase \"$*\" in\n*--model-file*) ;;\n"
                    "train\\ *|backtest\\ *) set -- \"$@\" --epochs 1 --epoch-steps 4 ;;\nesac\n"
                    "exec '") +
            PULSECAST_PROGRAM + "' \"$@\"\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    write("settings.toml", "[training]\nepochs = 1\n");
    write("study.toml",
          "out = 'results'\nmodels = ['dlinear', 'pulse']\nhorizons = [6]\nseeds = [1]\n"
          "[[datasets]]\nname = 'load'\nfile = 'load.csv'\n[settings]\nlookback = 48\n"
          "epochs = 1\nepoch-steps = 4\n");
    const Outcome made = shell(
        "mkdir -p datasets .local/share/bash-completion/completions .config/fish/completions "
        ".local/share/man/man1\n"
        "pulsecast data make load.csv --rows 1600 --channels 2 --start '2024-03-01 00:00' -q &&\n"
        "pulsecast data make newer.csv --rows 1800 --channels 2 --start '2024-03-01 00:00' -q &&\n"
        "pulsecast data make broken.csv --rows 1600 --channels 2 --start '2024-03-01 00:00' "
        "--missing 0.01 --duplicates 0.001 -q &&\n"
        "gzip -k load.csv &&\n"
        "pulsecast data make - --long --channels 4 --rows 200 --step 1d -q | "
        "sed '1s/.*/shop,day,sold/' > shops.csv &&\n"
        "sed '1s/.*/shop,ds,y/' shops.csv | gzip > sales.csv.gz &&\n"
        "tail -n +2 load.csv | cut -d, -f2,3 > solar.txt");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    for (const char* name : {"ETTh1.csv.gz", "ETTm1.csv.gz", "weather.csv.gz"}) {
      const std::string file = benchmark_file(name);
      if (!file.empty()) std::filesystem::create_symlink(file, folder_.file(name));
    }
  }

  // $PULSECAST_DATA, else ../shared/data; "" where neither has it.
  static std::string benchmark_file(const std::string& name) {
    const char* folder = std::getenv("PULSECAST_DATA");
    const std::filesystem::path path =
        (folder != nullptr ? std::filesystem::path(folder)
                           : std::filesystem::path(PULSECAST_SOURCE_DIR) / "../shared/data") /
        name;
    return std::filesystem::exists(path) ? std::filesystem::absolute(path).string() : "";
  }

  // Why a command is not run here; "" where it is.
  std::string left_out(const std::string& command) const {
    if (command.starts_with("pulsecast demo")) return "has a test of its own";
    if (command.find("man -l") != std::string::npos) return "needs a pager";
    if (command.find("pems04.npz") != std::string::npos) return "has tests of its reader";
    if (command.find("electricity.csv") != std::string::npos) return "large";
    if (command.find("--channels 321") != std::string::npos) return "large";
    for (const char* name : {"ETTh1", "ETTm1", "weather"}) {
      if (command.find(std::string(name) + ".csv.gz") == std::string::npos) continue;
      if (benchmark_file(std::string(name) + ".csv.gz").empty()) return "the file is not there";
    }
    return "";
  }

  // What has to be there before some of them.
  void prepare_for(const std::string& command) const {
    // A model is scored on rows that it has not seen.
    if (command.find("--model-file") != std::string::npos) {
      shell("pulsecast train load.csv --horizon 48h --quiet --force");
    }
    // Ranges need two horizons of rows for validation, which another example's model may not have.
    if (command.find("--level") != std::string::npos) {
      shell("pulsecast train load.csv --horizon 48h --quiet --force");
    }
    const auto copy = [&](const char* from, const char* to) {
      std::filesystem::copy_file(folder_.file(from), folder_.file(to),
                                 std::filesystem::copy_options::overwrite_existing);
    };
    for (const char* name : {"new.model", "old.model", "load.model.checkpoint"}) {
      if (command.find(name) != std::string::npos) copy("load.model", name);
    }
    if (command.find("others.csv") != std::string::npos) {
      shell("pulsecast backtest newer.csv --model-file load.model --stride 24 --out others.csv -q");
    }
  }

  void run_all(const Commands& commands) const {
    for (const std::string& command : commands) {
      if (!left_out(command).empty()) continue;
      prepare_for(command);
      const Outcome done = shell(command);
      // Rows of the spring of 2024 are old: that is what this flag is for.
      const bool is_stale = command.find("--max-age") != std::string::npos;
      EXPECT_TRUE(is_stale ? done.exit_code == 3 : done.exit_code == 0 || done.exit_code == 1)
          << command << "\nended with " << done.exit_code << " and\n"
          << done.err;
    }
  }

  Commands verbs() const {
    Commands all;
    bool is_verb = false;
    for (const std::string& line : lines(run("--help").out)) {
      if (line == "Verbs:") {
        is_verb = true;
      } else if (line.empty()) {
        is_verb = false;
      } else if (is_verb && line.size() > 2 && line[2] != ' ' && !line.starts_with("  data ")) {
        all.push_back(line.substr(2, line.find(' ', 2) - 2));
      }
    }
    for (const char* member : {"data make", "data list", "data verify"}) all.emplace_back(member);
    return all;
  }

  std::string help(const std::string& verb, int width) const {
    const std::string out = folder_.file("help");
    const std::string command = "COLUMNS=" + std::to_string(width) + " '" + PULSECAST_PROGRAM +
                                "' " + verb + " --help > '" + out + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << verb;
    return contents(out);
  }
};

TEST_F(HelpVerbs, FitsTerminalsOfThreeWidths) {
  const Commands all = verbs();
  EXPECT_GE(all.size(), 18U);
  for (const int width : {60, 80, 160}) {
    for (const std::string& verb : all) {
      const std::string text = help(verb, width);
      for (const std::string& line : lines(text)) {
        EXPECT_TRUE(fits(line, static_cast<std::size_t>(width))) << verb << " at " << width << ":\n"
                                                                 << line;
      }
      EXPECT_EQ(examples_in(text), examples_in(help(verb, 1000))) << verb << " at " << width;
    }
  }
}

// Examples train within budgets of time, which sanitized code spends to the end: half an hour, for
// verbs that all have tests of their own under sanitizers too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

TEST_F(HelpVerbs, EveryExampleRuns) {
  if (kIsSanitized) GTEST_SKIP() << "the release preset runs them";
  lay_out_files();
  for (const std::string& verb : verbs()) {
    const Commands examples = examples_in(help(verb, 60));
    EXPECT_FALSE(examples.empty()) << verb;
    run_all(examples);
  }
}

TEST_F(HelpVerbs, EveryLineOfTheReadmeRuns) {
  if (kIsSanitized) GTEST_SKIP() << "the release preset runs them";
  lay_out_files();
  const Commands commands = shell_lines_in(contents(PULSECAST_SOURCE_DIR "/README.md"));
  EXPECT_GT(commands.size(), 20U);
  ASSERT_EQ(shell("cp shops.csv sales.csv").exit_code, 0);
  run_all(commands);
}

TEST_F(HelpVerbs, AVersionIsAskedForInTwoWays) {
  const Outcome said = run("-v");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.out.find("pulsecast "), 0U);
  EXPECT_EQ(run("--version").out, said.out);
}

// A pseudo terminal, as util-linux makes one.
TEST_F(HelpVerbs, SettingsAreTextInATerminalAndMarkdownInAFile) {
  const std::string markdown = run("help settings").out;
  EXPECT_NE(markdown.find("| `lookback` |"), std::string::npos);
  const Outcome shown =
      shell(std::string("script -qec \"'") + PULSECAST_PROGRAM + "' help settings\" /dev/null");
  if (shown.exit_code == 127) GTEST_SKIP() << "there is no script(1)";
  EXPECT_NE(shown.out.find("lookback"), std::string::npos);
  for (const char* mark : {"<br>", "| `", "|---|", "## "}) {
    EXPECT_EQ(shown.out.find(mark), std::string::npos) << mark;
  }
  for (const std::size_t width : {60, 80, 160}) {
    const Outcome narrow = shell("COLUMNS=" + std::to_string(width) + " script -qec \"'" +
                                 PULSECAST_PROGRAM + "' help settings\" /dev/null");
    for (std::string line : lines(narrow.out)) {
      if (line.ends_with('\r')) line.pop_back();
      EXPECT_TRUE(fits(line, width)) << width << ":\n" << line;
    }
  }
}

}  // namespace
}  // namespace pulsecast::testing
