// pulsecast data make, list, verify, mismatch and settings, as a user runs them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pulsecast/data/testing.h"
#include "tests/run_program.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class DataVerbs : public ::testing::Test {
 protected:
  Outcome run(const std::string& arguments) { return run_program(arguments, folder_); }

  ScratchFolder folder_;
};

TEST_F(DataVerbs, MadeFilesAreTheSameEveryTimeAndClean) {
  const std::string first = folder_.file("first.csv");
  const std::string second = folder_.file("second.csv");
  const std::string flags = " --rows 1000 --channels 3 --step 15min --regimes 2 --seed 5";
  EXPECT_EQ(run("data make " + first + flags).exit_code, 0);
  EXPECT_EQ(run("data make " + second + flags).exit_code, 0);
  EXPECT_EQ(contents(first), contents(second));
  EXPECT_EQ(run("data make -" + flags).out, contents(first));
  EXPECT_EQ(run("check " + first).exit_code, 0);
}

TEST_F(DataVerbs, AskedForFaultsAreFound) {
  const std::string file = folder_.file("broken.csv");
  const Outcome made = run("data make " + file + " --json --missing 0.02 --duplicates 0.01");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(json::parse(made.out)["rows"], 10000);
  EXPECT_EQ(run("check " + file).exit_code, 1);
  EXPECT_EQ(run("mismatch " + file).exit_code, 3) << "nothing is repaired unasked";
  const Outcome mended = run("mismatch " + file + " --duplicates first --fill linear --json");
  EXPECT_EQ(mended.exit_code, 0) << mended.err;
}

TEST_F(DataVerbs, MakeRefusesWhatItWouldNotDo) {
  const Outcome zipped = run("data make " + folder_.file("a.csv.gz"));
  EXPECT_EQ(zipped.exit_code, 2);
  EXPECT_NE(zipped.err.find("written as plain CSV"), std::string::npos) << zipped.err;
  EXPECT_EQ(run("data make - --json").exit_code, 2);
  EXPECT_EQ(run("data make " + folder_.file("no/such/folder.csv")).exit_code, 5);
  const Outcome typo = run("data make - --row 5");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_EQ(run("data make - --rows -5").err,
            "pulsecast: --rows: setting 'rows' takes a whole number from 1 to 100000000, not "
            "'-5'\n");
}

TEST_F(DataVerbs, ConfigFileAndFlags) {
  const std::string config = folder_.file("pulse.toml");
  std::ofstream(config) << "[make]\nrows = 7\nchannels = 2\n[data]\nlookback = 8\n";
  const std::string made = run("data make - --channels 1 --config " + config).out;
  EXPECT_EQ(std::count(made.begin(), made.end(), '\n'), 8);
  EXPECT_EQ(made.substr(0, made.find('\n')), "date,c1") << "a flag wins over the file";
  std::ofstream(config) << "[make]\nrow = 7\n";
  const Outcome refused = run("data make - --config " + config);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "pulsecast: " + config +
                             ":2:7: there is no setting 'row'. Did you mean 'rows'? "
                             "docs/settings.md lists them all\n");
}

TEST_F(DataVerbs, ListKnowsEighteenDatasets) {
  const Outcome text = run("data list --quiet");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(text.err.empty());
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 19);
  const json list = json::parse(run("data list --json").out)["datasets"];
  ASSERT_EQ(list.size(), 18u);
  EXPECT_EQ(list[0]["name"], "ETTh1");
  EXPECT_EQ(list[0]["rows"], 17420);
  EXPECT_TRUE(list[12]["rows"].is_null()) << "what is not known is null";
}

TEST_F(DataVerbs, VerifySaysWhatIsNotAsItShouldBe) {
  EXPECT_EQ(run("data verify " + folder_.path()).exit_code, 1) << "none there";
  std::ofstream(folder_.file("ETTh1.csv")) << "date,HUFL\n2016-07-01 00:00:00,1\n";
  const Outcome found = run("data verify --json " + folder_.path());
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_EQ(json::parse(found.out)["datasets"][0]["verdict"], "differs");
  EXPECT_EQ(run("data verify " + folder_.file("nowhere")).exit_code, 5);
}

TEST_F(DataVerbs, SettingsPrintTheReferencePage) {
  EXPECT_EQ(run("settings").out, contents(PULSECAST_SOURCE_DIR "/docs/settings.md"));
  EXPECT_GT(json::parse(run("settings --json").out)["settings"].size(), 30u);
}

TEST_F(DataVerbs, MismatchOfRealFiles) {
  const std::string etth1 = benchmark_file("ETTh1.csv.gz");
  const std::string weather = benchmark_file("weather.csv.gz");
  if (etth1.empty() || weather.empty()) GTEST_SKIP() << kNoBenchmarkFiles;
  const json hourly = json::parse(run("mismatch --json --split ETTh1 " + etth1).out);
  EXPECT_EQ(hourly["windows"], 8449);
  EXPECT_NEAR(hourly["spectral_mismatch"], 0.267, 0.001);
  EXPECT_EQ(run("mismatch " + weather).exit_code, 3) << "a stamp comes twice";
  const Outcome rows = run("mismatch --grid rows --horizon 192 " + weather);
  EXPECT_EQ(rows.exit_code, 0) << rows.err;
  EXPECT_TRUE(rows.out.starts_with("mean shift         0.421")) << rows.out;
  EXPECT_EQ(run("mismatch --rows 100 " + etth1).exit_code, 3);
  EXPECT_EQ(run("mismatch --rows 8640:100 " + etth1).exit_code, 2);
}

}  // namespace
}  // namespace pulsecast::testing
