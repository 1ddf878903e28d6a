// What a user may hand over by mistake or in bad faith, and limits that a system may set: each ends
// in a message and an exit code.

#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

namespace fs = std::filesystem;

class TrustVerbs : public ModelVerbs {
 protected:
  void flip_last_bit(const std::string& name) const {
    std::string bytes = contents(folder_.file(name));
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write(name, bytes);
  }
  // Under a limit that the shell sets: "ulimit -f 8".
  Outcome run_limited(const std::string& limit, const std::string& arguments) const {
    const std::string out = folder_.file("out");
    const std::string err = folder_.file("err");
    const std::string command =
        limit + "; '" + PULSECAST_PROGRAM + "' " + arguments + " > '" + out + "' 2> '" + err + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
  }
};

TEST_F(TrustVerbs, ADamagedModelIsRefusedByTheNameOfItsPart) {
  ASSERT_EQ(train("m.model").exit_code, 0);
  const std::string model = folder_.file("m.model");
  const Outcome whole = run("inspect --verify " + model);
  EXPECT_EQ(whole.exit_code, 0);
  EXPECT_NE(whole.out.find("every checksum is right"), std::string::npos) << whole.out;
  flip_last_bit("m.model");
  EXPECT_TRUE(says(forecast("m.model"), 4, "is damaged: its checksum should be"));
  EXPECT_TRUE(says(run("inspect --verify " + model), 4, "is damaged"));
  const std::string old = std::string(PULSECAST_SOURCE_DIR "/tests/golden/v2.model");
  const Outcome without = run("inspect --verify " + old);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_NE(without.out.find("no checksums to compare"), std::string::npos) << without.out;
}

TEST_F(TrustVerbs, WhatNeverEndsIsNotReadForEver) {
  EXPECT_EQ(run("inspect /dev/zero").exit_code, 4);
  EXPECT_TRUE(says(run("train " + rows() + " --config /dev/zero"), 5, "config file may have"));
  EXPECT_TRUE(says(run("benchmark /dev/zero"), 5, "study may have"));
}

TEST_F(TrustVerbs, DeepTomlIsRefused) {
  std::string parts = "[a";
  for (int i = 0; i < 90'000; ++i) parts += ".a";
  const std::string file = write("deep.toml", parts + "]\n");
  EXPECT_TRUE(says(run("train " + rows() + " --config " + file), 2, "more than 16 deep"));
  EXPECT_TRUE(says(run("benchmark " + file), 2, "more than 16 deep"));
}

// toml++ as it comes has no defined behaviour for these.
TEST_F(TrustVerbs, LettersBeyondAsciiInTomlAreRead) {
  const auto answer = [&](const std::string& text) {
    return run("train " + rows() + kTiny + " --out " + folder_.file("m.model") + " --config " +
               write("wide.toml", text));
  };
  EXPECT_EQ(answer("\xEF\xBB\xBF[data]\ntarget = ['c1'] # größe\n").exit_code, 0);
  EXPECT_TRUE(says(answer("[data]\nknown = ['größe']\n"), 2, "größe"));
  EXPECT_TRUE(says(answer("[data]\nknown = [\"\"\"\\ \n größe\"\"\"]\n"), 2, "größe"));
  for (const char* wrong :
       {"größe = 1\n", "lookback = 4é\n", "lookback = é\n", "target = [\"\\é\"]\n"}) {
    EXPECT_TRUE(says(answer(std::string("[data]\n") + wrong), 2, "wide.toml:2")) << wrong;
  }
}

TEST_F(TrustVerbs, OneTrainingAModel) {
  const std::string arguments = "train " + rows() + kTiny +
                                " --epochs 100000 --patience 100000 --out " +
                                folder_.file("m.model");
  const pid_t first = start(arguments);
  for (int i = 0; i < 200 && !fs::exists(folder_.file("m.model.checkpoint")); ++i) pause(50);
  EXPECT_TRUE(says(train("m.model"), 5, "another training writes this model"));
  kill(first, SIGKILL);
  wait_for(first);
  // What a kill leaves keeps nobody out.
  EXPECT_EQ(train("m.model").exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_.file("m.model.lock")));
}

TEST_F(TrustVerbs, ATrainingThatDivergedIsSaidAndItsModelTellsOfIt) {
  const Outcome wild = train("m.model", "--epochs 1 --learning-rate 10");
  EXPECT_EQ(wild.exit_code, 1) << wild.out;
  EXPECT_NE(wild.err.find("warning: the model is far worse than naive"), std::string::npos)
      << wild.err;
  EXPECT_NE(run("inspect " + folder_.file("m.model")).out.find("  warning    the model is far"),
            std::string::npos);
  EXPECT_EQ(train("m.model", "--epochs 3").exit_code, 0);
}

// What a run that went wrong is told to do.
TEST_F(TrustVerbs, AResumedRunMayHaveAnotherLearningRate) {
  const std::string arguments = "train " + rows() + kTiny +
                                " --epochs 100000 --patience 100000 --out " +
                                folder_.file("m.model");
  const pid_t first = start(arguments);
  for (int i = 0; i < 400 && !fs::exists(folder_.file("m.model.checkpoint")); ++i) pause(25);
  kill(first, SIGKILL);
  wait_for(first);
  EXPECT_TRUE(says(run(arguments + " --resume --learning-rate 1e-9 --patch 4"), 2, "another run"));
  const pid_t second = start(arguments + " --resume --learning-rate 1e-9");
  // The log may be there from the first run: what tells the second is its rate.
  const auto has_new_rate = [&] {
    return fs::exists(folder_.file("m.model.log.csv")) &&
           contents(folder_.file("m.model.log.csv")).find(",1e-09,") != std::string::npos;
  };
  for (int i = 0; i < 2400 && !has_new_rate(); ++i) pause(25);
  kill(second, SIGTERM);
  EXPECT_EQ(WEXITSTATUS(wait_for(second)), 130);
  EXPECT_TRUE(has_new_rate());
}

TEST_F(TrustVerbs, WhatNeverChangedIsForecastAsItIs) {
  std::string text = "date,empty,five\n";
  for (int hour = 0; hour < 400; ++hour) {
    text += fmt::format("2024-01-{:02} {:02}:00,0,5\n", 1 + hour / 24, hour % 24);
  }
  const std::string file = write("zeros.csv", text);
  const std::string model = folder_.file("z.model");
  const Outcome trained = run("train " + file + " --horizon 12 --epochs 2 --out " + model);
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome told = run("forecast " + model + " " + file + " --json");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  const auto channels = nlohmann::json::parse(told.out)["channels"];
  EXPECT_EQ(channels[0]["yhat"], std::vector<double>(12, 0.0));
  EXPECT_EQ(channels[1]["yhat"], std::vector<double>(12, 5.0));
}

TEST_F(TrustVerbs, AStopBeforeTheFirstStepIsAStop) {
  // The rows come through a pipe that is not yet written: the program waits in its reading.
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  const std::string text = contents(rows());
  const pid_t child =
      start("train " + folder_.file("pipe") + kTiny + " --out " + folder_.file("m.model"));
  std::ofstream pipe(folder_.file("pipe"), std::ios::binary);  // waits until the program reads
  std::signal(SIGPIPE, SIG_IGN);                               // it may end before it has read all
  kill(child, SIGTERM);
  pause(50);
  pipe << text;
  pipe.close();
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by the signal";
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

// A verb that cannot be stopped half-way, waiting for its input.
TEST_F(TrustVerbs, AStopOfAnyVerbHasItsExitCode) {
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  const pid_t child = start("inspect " + folder_.file("pipe"));
  const std::ofstream pipe(folder_.file("pipe"), std::ios::binary);  // waits until it reads
  kill(child, SIGTERM);
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by the signal";
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

TEST_F(TrustVerbs, ALimitOnFileSizeIsAnErrorWithoutLeftovers) {
  fs::create_directory(folder_.file("small"));
  const Outcome limited = run_limited(
      "ulimit -f 4", "data make " + folder_.file("small/rows.csv") + " --rows 5000 --channels 4");
  EXPECT_TRUE(says(limited, 5, "File too large"));
  EXPECT_TRUE(fs::is_empty(folder_.file("small")));
}

// An empty folder, and a file of noise, in the place of the system's.
TEST_F(TrustVerbs, AMissingOrDamagedTimeZoneDatabaseIsNamed) {
  fs::create_directories(folder_.file("none"));
  fs::create_directories(folder_.file("noise/Europe"));
  write("noise/Europe/Berlin", "no zone at all");
  const auto check_with = [&](const std::string& database) {
    const std::string inner = "mount --bind " + folder_.file(database) +
                              " /usr/share/zoneinfo && exec " + PULSECAST_PROGRAM + " check " +
                              rows() + " --time-zone Europe/Berlin";
    return run_limited("true", "--version > /dev/null && unshare -m sh -c '" + inner + "'");
  };
  if (std::system("unshare -m true 2> /dev/null") != 0) GTEST_SKIP() << "only root mounts";
  EXPECT_TRUE(says(check_with("none"), 5, "Install the package tzdata"));
  EXPECT_TRUE(says(check_with("noise"), 5, "'Europe/Berlin' is damaged"));
}

}  // namespace
}  // namespace pulsecast::testing
