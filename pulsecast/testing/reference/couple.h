// An affine coupling by its formula, in double.
#pragma once

#include <cstddef>

namespace pulsecast::kernels::reference {

void couple(std::size_t count, float gain, const float* a, const float* s, const float* t,
            float* y);
// Returns the gradient of the gain.
double couple_backward(std::size_t count, float gain, const float* a, const float* s,
                       const float* grad_y, float* grad_a, float* grad_s);

}  // namespace pulsecast::kernels::reference
