// Calendars that repeat, and the convolution over them with its repeats removed.
//
// The time encoders' convolution has the S time steps as its channels. With hour-of-day as the only
// feature, 720 hourly steps are 24 different inputs, each 30 times over: the weights of equal
// inputs may be summed first, and the products are 30 times fewer. That is exact:
//
//   sum over s of W[o][s] x[s]  =  sum over j < q of (sum over m of W[o][j + q m]) x[j]
//
// where x repeats after q steps. The gradient of W is that of the folded weights, repeated.
#pragma once

#include <cstddef>

namespace pulsecast::model {

// The smallest q >= 1 such that features (steps, width) at s and s + q are the same for every s; it
// is `steps` where nothing repeats. `scratch` (steps) is overwritten.
std::size_t smallest_period(const float* features, std::size_t steps, std::size_t width,
                            std::size_t* scratch);

// weight (out, steps, kernel) -> folded (out, q, kernel), for rows [first, last) of `out`.
void fold_weight(const float* weight, std::size_t first, std::size_t last, std::size_t steps,
                 std::size_t q, std::size_t kernel, float* folded);
// grad_weight += grad_folded, repeated.
void add_unfolded(const float* grad_folded, std::size_t first, std::size_t last, std::size_t steps,
                  std::size_t q, std::size_t kernel, float* grad_weight);

}  // namespace pulsecast::model
