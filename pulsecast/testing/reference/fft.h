// The Fourier transform's definition, summed in double.
#pragma once

#include <cstddef>

namespace pulsecast::kernels::reference {

void real_fft(std::size_t n, const float* in, std::size_t rows, float* out);

}  // namespace pulsecast::kernels::reference
