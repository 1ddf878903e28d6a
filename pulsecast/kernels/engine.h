// What really computes on this machine.
#pragma once

#include <string>

namespace pulsecast::kernels {

// "AVX2 vectors, BLIS 0.9.0 zen3": the vector instructions that our kernels picked, and the matrix
// library with the kernels that it picked, by CPU and by its environment variables. Where it is
// another, the same training ends in other last bits.
std::string engine_name();

}  // namespace pulsecast::kernels
