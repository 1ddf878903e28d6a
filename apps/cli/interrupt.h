// Ctrl-C and SIGTERM as a flag that long work looks at.
#pragma once

#include <atomic>

#include "pulsecast/base/watch.h"

namespace pulsecast::cli {

// From here on such a signal ends the program with the exit code of an interruption, at once, until
// work begins that looks at the flag below.
void end_when_interrupted();

// Installs the handlers, once. The flag is set by the first signal; a second one ends the process
// at once, in case the work does not look.
const std::atomic<bool>& interrupt_flag();

// Ends a call of the library with Error(kInterrupted) when the flag is set.
Watch interruptible();

// The same, but that the first Ctrl-C asks to finish with what there is, and the second ends the
// call. SIGTERM ends it at once.
Watch finishable();

}  // namespace pulsecast::cli
