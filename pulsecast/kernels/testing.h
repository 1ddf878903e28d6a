// For tests of kernels: inputs, the norm of parity, and a loop over every SIMD target this machine
// can run, the plain fallback included.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "pulsecast/base/arena.h"
#include "pulsecast/base/random.h"
#include "pulsecast/kernels/attention/attention.h"

namespace pulsecast::kernels::testing {

// Standard normal values, different for each `salt`.
inline std::vector<float> normals(std::size_t count, std::uint64_t salt) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(random::normal({.seed = salt}, i));
  }
  return values;
}

// Dropout somewhere in the middle of a training.
inline AttentionDropout dropout_of(float rate) {
  return {{.seed = 42, .purpose = random::Purpose::kAttentionDropout, .epoch = 2, .step = 17},
          rate,
          1000};
}

// max|ours - theirs| <= tolerance * max|theirs|, the norm in which we compare implementations.
inline void expect_close(std::span<const float> ours, std::span<const float> theirs,
                         double tolerance) {
  ASSERT_EQ(ours.size(), theirs.size());
  double largest = 0.0;
  double difference = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_TRUE(std::isfinite(ours[i])) << "at " << i;
    largest = std::max(largest, std::abs(static_cast<double>(theirs[i])));
    difference = std::max(difference, std::abs(static_cast<double>(ours[i]) - theirs[i]));
  }
  EXPECT_LE(difference, tolerance * largest);
}

// Scratch memory as kernels want it.
class Scratch {
 public:
  float* floats(std::size_t count) { return arena_.allocate<float>(count).data(); }

 private:
  Arena arena_;
};

// Runs body once for every SIMD target compiled in that this machine supports.
template <typename Body>
void for_each_target(Body&& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace pulsecast::kernels::testing
