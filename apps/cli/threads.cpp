#include "apps/cli/threads.h"

#include <fmt/format.h>

namespace pulsecast::cli {

ThreadPoolOptions thread_options(const Console& console) {
  return {.threads = console.threads, .keep_workers_off_caller = true};
}

void remark_threads(const Console& console, std::size_t asked, std::size_t started) {
  if (started >= asked) return;
  console.remark(fmt::format("{} threads were asked for, {} could be started\n", asked, started));
}

}  // namespace pulsecast::cli
