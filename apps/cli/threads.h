// The threads of a verb. The program has the process to itself, so its workers stay off the CPU
// that the main thread runs on (docs/decisions/0006-thread-pool.md).
#pragma once

#include "apps/cli/console.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/threads.h"

namespace pulsecast::cli {

// As many as --threads says, with a remark where fewer could be started.
Threads threads_of(const Console& console);

}  // namespace pulsecast::cli
