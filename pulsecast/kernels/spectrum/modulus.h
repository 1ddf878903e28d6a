// The modulus of complex values, real and imaginary part side by side.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// z (count, 2) -> y (count)
void modulus(std::size_t count, const float* z, float* y);
// grad_z = grad_y * z / y, and 0 where y is 0.
void modulus_backward(std::size_t count, const float* z, const float* y, const float* grad_y,
                      Gradient grad_z);

}  // namespace pulsecast::kernels
