#include "pulsecast/model/calendar_fold.h"

#include <algorithm>

#include "pulsecast/base/profile.h"

namespace pulsecast::model {

std::size_t smallest_period(const float* features, std::size_t steps, std::size_t width,
                            std::size_t* scratch) {
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::equal(features + a * width, features + (a + 1) * width, features + b * width);
  };
  // The prefix function of Knuth, Morris and Pratt: border[s] is the length of the longest proper
  // prefix of the first s + 1 steps that is also their end. What is before the longest border of
  // the whole is the smallest period.
  std::size_t* border = scratch;
  border[0] = 0;
  for (std::size_t s = 1; s < steps; ++s) {
    std::size_t length = border[s - 1];
    while (length > 0 && !same(s, length)) length = border[length - 1];
    border[s] = same(s, length) ? length + 1 : 0;
  }
  return steps - border[steps - 1];
}

void fold_weight(const float* weight, std::size_t first, std::size_t last, std::size_t steps,
                 std::size_t q, std::size_t kernel, float* folded) {
  const profile::Scope scope("fold calendars");
  const std::size_t period = q * kernel;
  for (std::size_t o = first; o < last; ++o) {
    const float* from = weight + o * steps * kernel;
    float* to = folded + o * period;
    std::copy_n(from, period, to);
    for (std::size_t at = period; at < steps * kernel; at += period) {
      const std::size_t count = std::min(period, steps * kernel - at);
      for (std::size_t i = 0; i < count; ++i) to[i] += from[at + i];
    }
  }
}

void add_unfolded(const float* grad_folded, std::size_t first, std::size_t last, std::size_t steps,
                  std::size_t q, std::size_t kernel, float* grad_weight) {
  const profile::Scope scope("fold calendars");
  const std::size_t period = q * kernel;
  for (std::size_t o = first; o < last; ++o) {
    const float* from = grad_folded + o * period;
    float* to = grad_weight + o * steps * kernel;
    for (std::size_t at = 0; at < steps * kernel; at += period) {
      const std::size_t count = std::min(period, steps * kernel - at);
      for (std::size_t i = 0; i < count; ++i) to[at + i] += from[i];
    }
  }
}

}  // namespace pulsecast::model
