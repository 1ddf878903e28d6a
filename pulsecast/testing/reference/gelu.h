// GELU and its slope in double.
#pragma once

namespace pulsecast::kernels::reference {

double gelu(double x);
double gelu_slope(double x);

}  // namespace pulsecast::kernels::reference
