// Student's t distribution, as far as a test of significance needs it.
#pragma once

namespace pulsecast {

// The regularised incomplete beta function I_x(a, b) for a, b > 0 and x in [0, 1], to about twelve
// digits: what the tails of the t, F and binomial distributions are made of.
double incomplete_beta(double a, double b, double x);

// The probability that a t with so many degrees of freedom (above 0) is at least as far from zero
// as `t`, on either side. NaN for a `t` that is.
double two_sided_p_value(double t, double degrees_of_freedom);

}  // namespace pulsecast
