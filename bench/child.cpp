#include "bench/child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace pulsecast::bench {

ChildRun run_child(const std::vector<std::string>& command) {
  ChildRun run;
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return run;
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::dup2(out[1], STDOUT_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  char bytes[4096];
  for (ssize_t count; (count = ::read(out[0], bytes, sizeof(bytes))) > 0;) {
    run.output.append(bytes, static_cast<std::size_t>(count));
  }
  ::close(out[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024.0;
  run.succeeded = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return run;
}

}  // namespace pulsecast::bench
