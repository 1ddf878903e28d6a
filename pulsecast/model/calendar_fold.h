// Calendars whose steps are alike, and the convolution over them with its repeats removed.
//
// The time encoders' convolution has the S time steps as its channels. With hour-of-day as the only
// feature, 720 hourly steps are 24 different inputs, each 30 times over, and 96 steps of ten
// minutes are 17: the weights of equal inputs may be summed first, and the products are that many
// times fewer. It is exact:
//
//   sum over s of W[o][s] x[s]  =  sum over classes c of (sum over s in c of W[o][s]) x[c]
//
// The gradient of W is that of the folded weights, repeated. Which steps are alike is the pattern
// of a calendar; many calendars share one (of ten-minute steps there are six, by the minute at
// which the first step stands), and so share folded weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pulsecast::model {

// Steps s and s + period are alike for every s, and of the first `period` steps those with the same
// label are. Labels count from 0 in the order in which they appear. Where no steps are alike there
// are as many classes as steps.
struct StepPattern {
  std::size_t period = 0;
  std::size_t classes = 0;
  std::vector<std::uint16_t> labels;  // (period)

  friend bool operator==(const StepPattern&, const StepPattern&) = default;
};

// Finds patterns without allocating, once it has seen one.
class PatternFinder {
 public:
  PatternFinder(std::size_t steps, std::size_t width);

  // features (steps, width). At most 65536 steps; more are taken as all different.
  void find(const float* features, StepPattern& pattern);

 private:
  std::uint16_t label_of(const float* features, std::size_t step, std::size_t& classes);

  std::size_t steps_;
  std::size_t width_;
  std::vector<std::uint16_t> labels_;  // (steps)
  std::vector<std::uint32_t> first_;   // (steps) where a class appears first
  std::vector<std::uint32_t> slots_;   // open addressing: class + 1 of a hash, 0 where free
  std::vector<std::size_t> border_;    // (steps)
};

// Rows [first, last) of weight (out, steps, kernel) folded by each pattern: folded[i] is
// (out, classes, kernel). `scratch` (steps * kernel) is overwritten.
void fold_weight(const float* weight, std::size_t first, std::size_t last, std::size_t steps,
                 std::size_t kernel, std::span<const StepPattern* const> patterns,
                 std::span<float* const> folded, float* scratch);
// grad_weight += the gradients of the folded weights, repeated.
void add_unfolded(std::span<const float* const> grad_folded, std::size_t first, std::size_t last,
                  std::size_t steps, std::size_t kernel,
                  std::span<const StepPattern* const> patterns, float* grad_weight, float* scratch);

}  // namespace pulsecast::model
