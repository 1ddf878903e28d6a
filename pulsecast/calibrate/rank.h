// Which of n past scores bounds the next one.
//
// Of n + 1 scores of which any may be the largest, the next lies at or below the k-th smallest of
// the n before it with a chance of at least k / (n + 1): k = ceil((n + 1) p) keeps the promise of a
// probability p exactly, with no law assumed. Below the median the same holds from above.
#pragma once

#include <cstddef>
#include <optional>

namespace pulsecast::calibrate {

// Counted from 1. None where so few scores have no such rank.
std::optional<std::size_t> rank_of(std::size_t scores, double probability);

// The least number of scores that have one: 39 at 0.025 and 0.975, 9 at 0.1 and 0.9.
std::size_t scores_needed(double probability);

}  // namespace pulsecast::calibrate
