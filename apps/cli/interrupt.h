// Ctrl-C and SIGTERM as a flag that long work looks at.
#pragma once

#include <atomic>

namespace pulsecast::cli {

// Installs the handlers, once. The flag is set by the first signal; a second one ends the process
// at once, in case the work does not look.
const std::atomic<bool>& interrupt_flag();

}  // namespace pulsecast::cli
