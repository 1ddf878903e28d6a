#include "apps/cli/threads.h"

#include <fmt/format.h>

namespace pulsecast::cli {

Threads threads_of(const Console& console) {
  auto pool = std::make_shared<ThreadPool>(
      ThreadPoolOptions{.threads = console.threads, .keep_workers_off_caller = true});
  if (pool->size() < pool->asked()) {
    console.remark(fmt::format("{} threads were asked for, {} could be started\n", pool->asked(),
                               pool->size()));
  }
  return Threads(std::move(pool));
}

}  // namespace pulsecast::cli
