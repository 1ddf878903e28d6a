// Whether one forecaster is better than another, or was lucky on these windows.
//
// The test of Diebold and Mariano (1995) asks whether the mean difference of two losses is zero.
// Windows of stride 1 overlap: forecasts H steps ahead share up to H-1 steps with their neighbours,
// so their losses go up and down together and n windows say far less than n independent ones
// would. The variance of the mean therefore counts autocovariances up to lag H-1, with Bartlett
// weights, which keep it from being negative (the plain sum of the original paper can be). Harvey,
// Leybourne and Newbold (1997) correct the statistic for small n and take Student's t with n-1
// degrees of freedom.
//
// Bartlett weights count far lags at less than they are, and losses are often correlated beyond H-1
// too; both make p-values somewhat too small. A p-value near the line that one drew is no proof.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace pulsecast {

struct DieboldMariano {
  double mean_difference = 0.0;  // first loss minus second: negative where the first is better
  double statistic = 0.0;        // corrected
  double p_value = 1.0;          // two-sided
  std::size_t windows = 0;
};

// first (n), second (n): the loss of every window, in the order of time; `horizon` is H. None where
// n <= H, since then there is no stretch of time that two windows do not share, and where a loss is
// not finite.
std::optional<DieboldMariano> diebold_mariano(std::span<const double> first,
                                              std::span<const double> second, std::size_t horizon);

// The long-run variance of `values` (n): autocovariance at 0 plus twice those up to `lags`,
// weighted down to 1 / (lags + 1). Never negative.
double bartlett_variance(std::span<const double> values, std::size_t lags);

}  // namespace pulsecast
