// For whole-program tests of the verbs that make and use models: small rows, tiny models.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/run_program.h"

namespace pulsecast::testing {

// Ended with that code, and has those words on standard error.
inline ::testing::AssertionResult says(const Outcome& outcome, int code, const std::string& words) {
  if (outcome.exit_code == code && outcome.err.find(words) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "expected exit code " << code << " and '" << words
                                       << "', got " << outcome.exit_code << " and\n"
                                       << outcome.err << outcome.out;
}

class ModelVerbs : public ::testing::Test {
 protected:
  // 24 hours of history to 12 ahead, for a tenth of a second of training.
  static constexpr const char* kTiny =
      " --quiet --lookback 24 --horizon 12 --hidden 8 --epochs 1 --threads 1";

  Outcome run(const std::string& arguments) const { return run_program(arguments, folder_); }

  // Starts the program in the background; it says things into out.txt and err.txt, as "sh -c exec"
  // so that the id is the program's own.
  pid_t start(const std::string& arguments) const {
    const std::string command = std::string("exec '") + PULSECAST_PROGRAM + "' " + arguments +
                                " > '" + folder_.file("out.txt") + "' 2> '" +
                                folder_.file("err.txt") + "'";
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    return child;
  }

  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  static void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name), std::ios::binary) << text;
    return folder_.file(name);
  }

  // 400 hours of c1 and c2.
  std::string rows() const {
    const std::string file = folder_.file("rows.csv");
    if (!std::filesystem::exists(file)) {
      EXPECT_EQ(run("data make " + file + " --rows 400 --channels 2 --seed 3").exit_code, 0);
    }
    return file;
  }

  // Later flags win over those of kTiny.
  Outcome train(const std::string& model, const std::string& flags = "") const {
    return run("train " + rows() + kTiny + " --out " + folder_.file(model) + " " + flags);
  }

  Outcome forecast(const std::string& model, const std::string& flags = "") const {
    return run("forecast " + folder_.file(model) + " " + rows() + " " + flags);
  }

  nlohmann::json inspect(const std::string& model) const {
    return nlohmann::json::parse(run("inspect --json " + folder_.file(model)).out);
  }

  // What follows a safetensors header: the bytes of every tensor.
  std::string tensors(const std::string& model) const {
    const std::string bytes = contents(folder_.file(model));
    std::uint64_t header = 0;
    if (bytes.size() < sizeof header) return "no model: " + model;
    std::memcpy(&header, bytes.data(), sizeof header);
    return bytes.substr(sizeof header + header);
  }

  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
    if (line.ends_with(',')) all.emplace_back();
    return all;
  }

  ScratchFolder folder_;
};

}  // namespace pulsecast::testing
