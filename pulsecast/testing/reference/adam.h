// Adam in double, as the paper writes it; moments rounded to float between steps.
#pragma once

#include "pulsecast/kernels/pointwise/adam.h"

namespace pulsecast::kernels::reference {

void adam(std::size_t count, const AdamSettings& settings, std::int64_t step, const float* gradient,
          float* weight, float* moment1, float* moment2);

}  // namespace pulsecast::kernels::reference
