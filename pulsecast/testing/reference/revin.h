// Reversible normalisation by its formula, in double.
#pragma once

#include "pulsecast/kernels/normalise/revin.h"

namespace pulsecast::kernels::reference {

void revin(const RevinShape& shape, const float* x, const float* anchor, const float* gamma,
           const float* beta, float* y, float* mean, float* deviation);

}  // namespace pulsecast::kernels::reference
