// The program under attack, run once: under limits, with a fault preloaded, killed after a while.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pulsecast::torture {

using Milliseconds = std::chrono::duration<double, std::milli>;

struct Orders {
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment = {};  // beside what is there
  std::vector<std::pair<int, rlim_t>> limits = {};                    // RLIMIT_AS and the like
  bool is_unprivileged = false;  // as nobody, where we are root: limits on processes spare root
  std::optional<Milliseconds> kill_after = {};
  int signal = 0;  // that is sent then
};

struct Ending {
  int exit_code = -1;  // -1: ended by `signal`
  int signal = 0;
  bool was_sent = false;  // our signal
  bool hung = false;      // it did not end in a minute and was killed
  Milliseconds time{0};
  std::string output;  // standard output and standard error, as they came
};

// Throws std::system_error when it cannot be started.
Ending run(const Orders& orders);

// "exit code 5", "signal 6 (Aborted)", and what it said.
std::string to_text(const Ending& ending);

// The command as a shell takes it.
std::string command_text(const Orders& orders);

}  // namespace pulsecast::torture
