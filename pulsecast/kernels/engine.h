// What really computes on this machine.
#pragma once

#include <string>

namespace pulsecast::kernels {

// "AVX2 vectors": the vector instructions that the kernels picked. Where they are others, the same
// training ends in other last bits.
std::string engine_name();

}  // namespace pulsecast::kernels
