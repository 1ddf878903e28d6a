// pulsecast check, as a user runs it: exit codes, text, JSON, pipes, config files.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pulsecast/data/testing.h"
#include "tests/run_program.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class CheckVerb : public ::testing::Test {
 protected:
  Outcome run(const std::string& arguments) { return run_program(arguments, folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.file(name), std::ios::binary) << text;
    return folder_.file(name);
  }

  std::string clean() {
    return write("clean.csv", "date,a\n2024-01-01,1\n2024-01-02,2\n2024-01-03,1\n2024-01-04,3\n");
  }
  std::string broken() {
    return write("broken.csv", "date,a\n2024-01-01,1\n2024-01-02,\n2024-01-03,inf\n2024-01-04,3\n");
  }

  static constexpr const char* kShort = " --lookback 2 --horizon 1";
  ScratchFolder folder_;
};

TEST_F(CheckVerb, ExitCodes) {
  EXPECT_EQ(run("check " + clean() + kShort).exit_code, 0);
  EXPECT_EQ(run("check " + broken() + kShort).exit_code, 1);
  EXPECT_EQ(run("check").exit_code, 2);
  EXPECT_EQ(run("check " + clean() + " --nonsense").exit_code, 2);
  EXPECT_EQ(run("check " + clean() + " --fill linaer").exit_code, 2);
  EXPECT_EQ(run("check " + write("empty.csv", "")).exit_code, 3);
  EXPECT_EQ(run("check " + folder_.file("not there.csv").insert(0, "'") + "'").exit_code, 5);
  std::filesystem::create_directory(folder_.file("nothing"));
  EXPECT_EQ(run("check " + folder_.file("nothing")).exit_code, 3);
}

TEST_F(CheckVerb, AMistypedVerbIsAnsweredWithTheNearest) {
  const Outcome outcome = run("chek file.csv");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("Did you mean 'check'?"), std::string::npos) << outcome.err;
}

TEST_F(CheckVerb, RemediesAreFlagsAndTheSettingsBehindThem) {
  const json report = json::parse(run("check --json " + broken() + kShort).out);
  EXPECT_EQ(report["findings"][0]["remedy"], "--fill");
  EXPECT_EQ(report["findings"][1]["remedy"],
            "--fill previous, --fill linear, --fill seasonal, --fill zero or --fill none");
  const json& none = report["remedies"][0];
  EXPECT_EQ(none["flag"], "--fill none");
  EXPECT_EQ(none["settings"], json::parse(R"([{"name": "fill", "value": "none"}])"));
  EXPECT_NE(none["effect"].get<std::string>().find("would leave 2 cells"), std::string::npos);
  EXPECT_NE(report["refusal"].get<std::string>().find("--fill linear draws a straight line"),
            std::string::npos);
}

TEST_F(CheckVerb, TextNamesThePlaceTheCauseAndTheFlag) {
  const Outcome outcome = run("check " + broken() + kShort);
  for (const char* words : {"line 3, column 'a': the cell is empty", "'inf' is no finite number",
                            "--fill linear", "the file is refused", "step     1d"}) {
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << "\n" << outcome.out;
  }
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CheckVerb, JsonHasTheSameAndNeverNan) {
  const Outcome outcome = run("check " + broken() + kShort + " --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["clean"], false);
  EXPECT_EQ(report["rows"], 4);
  EXPECT_EQ(report["findings"].size(), 2U);
  EXPECT_EQ(report["findings"][0]["kind"], "infinite-cell");
  EXPECT_EQ(report["findings"][0]["first_line"], 4);
  EXPECT_EQ(report["columns"][0]["missing"], 2);
  EXPECT_EQ(report["period"], nullptr);
  EXPECT_EQ(report["ready"], false);
  EXPECT_EQ(outcome.out.find("nan"), std::string::npos);
}

TEST_F(CheckVerb, FlagsMakeItReady) {
  const json report = json::parse(run("check " + broken() + kShort + " --fill linear --json").out);
  EXPECT_EQ(report["ready"], true);
  EXPECT_EQ(report["repairs"][0], "2 missing values filled with a straight line");
}

// What check calls ready, train trains; what it does not, train refuses.
TEST_F(CheckVerb, IsReadyWhereTrainingIs) {
  const auto wide = [&](std::size_t rows, bool has_gaps) {
    std::string text = "date,a,b\n";
    for (std::size_t i = 0; i < rows; ++i) {
      text += fmt::format("2024-{:02}-{:02} {:02}:00,{},{}\n", 1 + i / 24 / 28, 1 + i / 24 % 28,
                          i % 24, i % 24, has_gaps && i % 9 == 4 ? "" : fmt::format("{}", i % 7));
    }
    return write(fmt::format("wide{}{}.csv", rows, has_gaps ? "gaps" : ""), text);
  };
  const auto panel = [&](std::size_t rows) {
    std::string text = "shop,day,sold\n";
    for (std::size_t i = 0; i < 3 * rows; ++i) {
      const std::size_t day = i % rows;
      text += fmt::format("s{},2024-{:02}-{:02},{}\n", i / rows, 1 + day / 28, 1 + day % 28,
                          (day * (i / rows + 3)) % 11);
    }
    return write(fmt::format("panel{}.csv", rows), text);
  };
  struct Case {
    std::string file;
    const char* flags;
  };
  const std::vector<Case> cases = {{wide(600, false), " --horizon 24"},
                                   {wide(600, false), " --horizon 1000"},
                                   {wide(600, true), " --fill none"},
                                   {wide(600, true), " --fill none --horizon 2 --lookback 2"},
                                   {wide(600, true), " --fill zero"},
                                   {wide(60, false), ""},
                                   {wide(30, false), " --horizon 3"},
                                   {wide(6, false), " --horizon 1"},
                                   {wide(3, false), " --horizon 4"},
                                   {wide(300, false), " --lookback 280 --horizon 24"},
                                   {panel(27), " --horizon 7"},
                                   {panel(27), ""}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.file + one.flags);
    const json report = json::parse(run("check " + one.file + one.flags + " --json").out);
    const Outcome trained = run("train " + one.file + one.flags + " --epochs 1 --out " +
                                folder_.file("m.model") + " --quiet");
    EXPECT_EQ(report["ready"].get<bool>(), trained.exit_code <= 1)
        << report["refusal"] << trained.err;
  }
}

TEST_F(CheckVerb, AFolderIsASeriesAFile) {
  std::filesystem::create_directory(folder_.file("shops"));
  for (const char* shop : {"north", "south"}) {
    std::string text = "day,sold\n";
    for (int i = 0; i < 28; ++i) text += fmt::format("2024-01-{:02},{}\n", i + 1, i % 7);
    write(fmt::format("shops/{}.csv", shop), text);
  }
  const json report =
      json::parse(run("check " + folder_.file("shops") + " --horizon 2 --json").out);
  EXPECT_EQ(report["series"], 2);
  EXPECT_EQ(report["rows"], 56);
  EXPECT_EQ(report["ready"], true) << report["refusal"];
  const std::string model = folder_.file("shops.model");
  EXPECT_LE(
      run("train " + folder_.file("shops") + " --horizon 2 --epochs 1 --out " + model + " --quiet")
          .exit_code,
      1);
  const Outcome forecast = run("forecast " + model + " " + folder_.file("shops"));
  EXPECT_NE(forecast.out.find("south,2024-01-29"), std::string::npos)
      << forecast.out << forecast.err;
  write("shops/west.csv", "day,other\n2024-01-01,1\n2024-01-02,1\n");
  const Outcome refused = run("check " + folder_.file("shops"));
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("west.csv"), std::string::npos) << refused.err;
}

TEST_F(CheckVerb, ErrorsAreJsonToo) {
  const Outcome outcome = run("check " + write("empty.csv", "") + " --json");
  EXPECT_EQ(outcome.exit_code, 3);
  const json error = json::parse(outcome.out)["error"];
  EXPECT_EQ(error["kind"], "data");
  EXPECT_EQ(error["exit_code"], 3);
}

TEST_F(CheckVerb, StandardInputAndConfigFile) {
  const std::string config = write("settings.toml", "[data]\nlookback = 2\nhorizon = 1\n");
  const Outcome outcome = run("check - --config " + config + " < " + clean());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("standard input: 4 rows x 1 column"), std::string::npos);
}

TEST_F(CheckVerb, AFullDiskIsAnErrorOfItsOwn) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::string command =
      std::string("'") + PULSECAST_PROGRAM + "' check " + clean() + kShort + " > /dev/full 2>&1";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 5);
}

TEST_F(CheckVerb, ListsAreGivenByRepeatingTheFlagOrWithCommas) {
  const std::string file =
      write("wide.csv", "date,a,b,c\n2024-01-01,1,2,3\n2024-01-02,4,1,6\n2024-01-03,7,8,1\n");
  for (const char* flags : {" --ignore a --ignore b", " --ignore a,b"}) {
    const json report = json::parse(run("check " + file + kShort + flags + " --json").out);
    ASSERT_EQ(report["columns"].size(), 1U) << flags;
    EXPECT_EQ(report["columns"][0]["name"], "c");
  }
}

TEST_F(CheckVerb, BenchmarkFilesAsTheyAre) {
  struct Expected {
    const char* file;
    int exit_code;
    int rows;
    int period;
  };
  // MUFL of ETTh2 and ETTm2 is stuck for 43 days.
  for (const Expected& expected :
       {Expected{"ETTh1.csv.gz", 0, 17420, 24}, Expected{"ETTh2.csv.gz", 1, 17420, 24},
        Expected{"ETTm1.csv.gz", 0, 69680, 96}, Expected{"ETTm2.csv.gz", 1, 69680, 96},
        Expected{"weather.csv.gz", 1, 52696, 144}, Expected{"AQShunyi.csv.gz", 1, 35064, 24}}) {
    const std::string file = benchmark_file(expected.file);
    if (file.empty()) GTEST_SKIP() << kNoBenchmarkFiles;
    const Outcome outcome = run("check '" + file + "' --json");
    EXPECT_EQ(outcome.exit_code, expected.exit_code) << expected.file;
    const json report = json::parse(outcome.out);
    EXPECT_EQ(report["rows"], expected.rows) << expected.file;
    EXPECT_EQ(report["period"]["steps"], expected.period) << expected.file;
  }
}

// Memory for the stacks of some threads: the verb does its work with those, and says so.
TEST_F(CheckVerb, WorksWithTheThreadsItGets) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more memory than the limit leaves";
#endif
  const std::string err = folder_.file("limited");
  const std::string command = "ulimit -v 600000; '" + std::string(PULSECAST_PROGRAM) + "' check '" +
                              clean() + "'" + kShort + " --threads 400 > /dev/null 2> '" + err +
                              "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_NE(contents(err).find("400 threads were asked for, "), std::string::npos) << contents(err);
  EXPECT_NE(contents(err).find(" could be started"), std::string::npos);
}

}  // namespace
}  // namespace pulsecast::testing
