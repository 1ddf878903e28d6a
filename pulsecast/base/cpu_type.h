// The type of CPU that this process runs on.
#pragma once

#include <string>

namespace pulsecast {

// "AuthenticAMD family 25 model 1", or "unknown". The same bits are promised for one build on one
// type: another may pick other SIMD kernels.
std::string cpu_type();

}  // namespace pulsecast
