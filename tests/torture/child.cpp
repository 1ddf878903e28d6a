#include "tests/torture/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace pulsecast::torture {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Milliseconds kPatience{60'000};
constexpr uid_t kNobody = 65534;
constexpr int kNoProgram = 127;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int operator*() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

// In the child, after fork(): no return.
[[noreturn]] void become(const Orders& orders, int output) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (nothing > STDERR_FILENO) ::close(nothing);
  for (const auto& [name, value] : orders.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (orders.is_unprivileged && ::getuid() == 0 && ::setuid(kNobody) != 0) ::_exit(kNoProgram);
  for (const auto& [what, most] : orders.limits) {
    const rlimit limit{most, most};
    if (::setrlimit(static_cast<__rlimit_resource_t>(what), &limit) != 0) ::_exit(kNoProgram);
  }
  std::vector<char*> argv{const_cast<char*>(PULSECAST_PROGRAM)};
  for (const std::string& word : orders.arguments) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(kNoProgram);
}

// Waits for the process or for output until `end`; takes what there is. False: the time is over.
bool attend(int process, int pipe, std::string& output, Clock::time_point end) {
  while (true) {
    const auto left = std::max(end - Clock::now(), Clock::duration(0));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec wait{static_cast<time_t>(seconds.count()),
                        static_cast<long>(std::chrono::nanoseconds(left - seconds).count())};
    pollfd events[] = {{process, POLLIN, 0}, {pipe, POLLIN, 0}};
    const int ready = ::ppoll(events, 2, &wait, nullptr);
    if (ready < 0 && errno != EINTR) fail("wait for the program");
    if (ready == 0) return false;
    char bytes[4096];
    ssize_t count = 0;
    while ((count = ::read(pipe, bytes, sizeof bytes)) > 0) {
      output.append(bytes, static_cast<std::size_t>(count));
    }
    if ((events[0].revents & POLLIN) != 0) return true;
    // Its end closed by a program that still runs would be reported for ever.
    if ((events[1].revents & POLLHUP) != 0) ::poll(events, 1, 1);
  }
}

}  // namespace

Ending run(const Orders& orders) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("make a pipe");
  const Descriptor from(ends[0]);
  Descriptor into(ends[1]);
  ::fcntl(*from, F_SETFL, O_NONBLOCK);
  const Clock::time_point start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) fail("start the program");
  if (child == 0) become(orders, *into);
  into.close();
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  if (*process < 0) fail("watch the program");

  Ending ending;
  const auto after = [&](Milliseconds time) {
    return start + std::chrono::duration_cast<Clock::duration>(time);
  };
  bool is_over = false;
  if (orders.kill_after) {
    is_over = attend(*process, *from, ending.output, after(*orders.kill_after));
    if (!is_over) ending.was_sent = ::kill(child, orders.signal) == 0;
  }
  if (!is_over && !attend(*process, *from, ending.output, after(kPatience))) {
    ending.hung = true;
    ::kill(child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ending.time = Clock::now() - start;
  if (WIFEXITED(status)) ending.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

std::string to_text(const Ending& ending) {
  std::string text = ending.signal != 0
                         ? fmt::format("signal {} ({})", ending.signal, ::strsignal(ending.signal))
                         : fmt::format("exit code {}", ending.exit_code);
  if (ending.hung) text = "no end within a minute";
  return text + "; it said: " + ending.output.substr(0, 500);
}

std::string command_text(const Orders& orders) {
  std::string text;
  for (const auto& [name, value] : orders.environment) text += name + "=" + value + " ";
  text += PULSECAST_PROGRAM;
  for (const std::string& word : orders.arguments) text += " '" + word + "'";
  return text;
}

}  // namespace pulsecast::torture
