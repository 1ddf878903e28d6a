// The shell command that does a run over, alone and without its study.
#pragma once

#include <string>

#include "pulsecast/benchmark/study.h"

namespace pulsecast::benchmark {

// "pulsecast train FILE --model dlinear ... --out RUN.model && pulsecast evaluate RUN.model FILE":
// every setting that is not what the program would take without being told.
std::string rerun_command(const Task& task);

}  // namespace pulsecast::benchmark
