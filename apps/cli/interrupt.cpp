#include "apps/cli/interrupt.h"

#include <csignal>
#include <cstdlib>

#include "pulsecast/base/error.h"

namespace pulsecast::cli {
namespace {

std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

std::atomic<bool> is_asked_to_finish{false};

void note(int signal) {
  is_interrupted.store(true);
  std::signal(signal, SIG_DFL);
}

void ask_to_finish(int signal) {
  is_asked_to_finish.store(true);
  std::signal(signal, note);
}

void end(int) { std::_Exit(exit_code(ErrorKind::kInterrupted)); }

}  // namespace

void end_when_interrupted() {
  std::signal(SIGINT, end);
  std::signal(SIGTERM, end);
}

const std::atomic<bool>& interrupt_flag() {
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
  return is_interrupted;
}

Watch finishable() {
  Watch watch = interruptible();
  std::signal(SIGINT, ask_to_finish);
  watch.is_asked_to_finish = [] { return is_asked_to_finish.load(std::memory_order_relaxed); };
  return watch;
}

Watch interruptible() {
  Watch watch;
  watch.is_cancelled = [&flag = interrupt_flag()] { return flag.load(std::memory_order_relaxed); };
  return watch;
}

}  // namespace pulsecast::cli
