#include "apps/cli/interrupt.h"

#include <csignal>
#include <cstdlib>

#include "pulsecast/base/error.h"

namespace pulsecast::cli {
namespace {

std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void note(int signal) {
  is_interrupted.store(true);
  std::signal(signal, SIG_DFL);
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

Watch interruptible() {
  Watch watch;
  watch.is_cancelled = [&flag = interrupt_flag()] { return flag.load(std::memory_order_relaxed); };
  return watch;
}

}  // namespace pulsecast::cli
