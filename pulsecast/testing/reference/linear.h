// Linear layers product by product, in double.
#pragma once

#include "pulsecast/kernels/products/linear.h"

namespace pulsecast::kernels::reference {

void linear(const LinearShape& shape, const float* x, const float* weight, const float* bias,
            bool through_gelu, float* y);
void linear_backward(const LinearShape& shape, const float* x, const float* weight,
                     const float* bias, bool through_gelu, const float* grad_y,
                     const LinearGradients& gradients);

}  // namespace pulsecast::kernels::reference
