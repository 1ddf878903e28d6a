// What really computes on this machine.
#pragma once

#include <string>

namespace pulsecast::kernels {

// "AVX3 vectors of 16 floats": the instructions that our kernels picked, by CPU.
std::string engine_name();

// "x86-64 with fused multiply-adds": engines of one arithmetic give the same bits, however wide
// their vectors are (vector_width_test.cpp); others train to other last bits (decision 22).
std::string arithmetic_name();

}  // namespace pulsecast::kernels
