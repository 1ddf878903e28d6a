// The threads of a verb. The program has the process to itself, so its workers stay off the CPU
// that the main thread runs on (docs/decisions/0006-thread-pool.md).
#pragma once

#include "apps/cli/console.h"
#include "pulsecast/base/thread_pool.h"

namespace pulsecast::cli {

// As many as --threads says.
ThreadPoolOptions thread_options(const Console& console);

// A remark where fewer could be started than were asked for.
void remark_threads(const Console& console, std::size_t asked, std::size_t started);

class Threads : public ThreadPool {
 public:
  explicit Threads(const Console& console) : ThreadPool(thread_options(console)) {
    remark_threads(console, asked(), size());
  }
};

}  // namespace pulsecast::cli
