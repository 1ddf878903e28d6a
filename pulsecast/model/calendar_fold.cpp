#include "pulsecast/model/calendar_fold.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pulsecast/base/profile.h"

namespace pulsecast::model {
namespace {

constexpr const char* kProfiled = "fold calendars";

// The smallest p >= 1 such that labels at s and s + p are the same for every s, by the prefix
// function of Knuth, Morris and Pratt: border[s] is the length of the longest proper prefix of the
// first s + 1 labels that is also their end. What is before the longest border of the whole is the
// smallest period.
std::size_t smallest_period(std::span<const std::uint16_t> labels, std::size_t* border) {
  border[0] = 0;
  for (std::size_t s = 1; s < labels.size(); ++s) {
    std::size_t length = border[s - 1];
    while (length > 0 && labels[s] != labels[length]) length = border[length - 1];
    border[s] = labels[s] == labels[length] ? length + 1 : 0;
  }
  return labels.size() - border[labels.size() - 1];
}

bool is_folded_by_classes(const StepPattern& pattern) { return pattern.classes < pattern.period; }

// row (steps, kernel) -> sums (period, kernel)
void sum_periods(const float* row, std::size_t size, std::size_t period, float* sums) {
  std::copy_n(row, period, sums);
  for (std::size_t at = period; at < size; at += period) {
    const std::size_t count = std::min(period, size - at);
    for (std::size_t i = 0; i < count; ++i) sums[i] += row[at + i];
  }
}

}  // namespace

PatternFinder::PatternFinder(std::size_t steps, std::size_t width)
    : steps_(steps),
      width_(width),
      labels_(steps),
      first_(steps),
      slots_(std::bit_ceil(2 * steps)),
      border_(steps) {}

std::uint16_t PatternFinder::label_of(const float* features, std::size_t step,
                                      std::size_t& classes) {
  const float* own = features + step * width_;
  const auto is_like = [&](std::size_t other) {
    return std::equal(own, own + width_, features + other * width_);
  };
  // Steps shorter than what a feature counts are like the one before.
  if (step > 0 && is_like(step - 1)) return labels_[step - 1];
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < width_; ++i) {
    // Adding zero makes the two zeros one, which are equal.
    hash = (hash ^ std::bit_cast<std::uint32_t>(own[i] + 0.0f)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) {
      slots_[slot] = static_cast<std::uint32_t>(classes + 1);
      first_[classes] = static_cast<std::uint32_t>(step);
      return static_cast<std::uint16_t>(classes++);
    }
    const std::size_t label = slots_[slot] - 1;
    if (is_like(first_[label])) return static_cast<std::uint16_t>(label);
  }
}

void PatternFinder::find(const float* features, StepPattern& pattern) {
  pattern.period = pattern.classes = steps_;
  pattern.labels.clear();
  if (steps_ > 65536) return;
  std::ranges::fill(slots_, 0U);
  std::size_t classes = 0;
  for (std::size_t step = 0; step < steps_; ++step) {
    labels_[step] = label_of(features, step, classes);
  }
  pattern.classes = classes;
  pattern.period = smallest_period(labels_, border_.data());
  pattern.labels.assign(labels_.begin(),
                        labels_.begin() + static_cast<std::ptrdiff_t>(pattern.period));
}

void fold_weight(const float* weight, std::size_t first, std::size_t last, std::size_t steps,
                 std::size_t kernel, std::span<const StepPattern* const> patterns,
                 std::span<float* const> folded, float* scratch) {
  const profile::Scope scope(kProfiled);
  for (std::size_t o = first; o < last; ++o) {
    const float* row = weight + o * steps * kernel;
    std::size_t summed = 0;  // the period whose sums are in scratch
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const StepPattern& pattern = *patterns[i];
      float* to = folded[i] + o * pattern.classes * kernel;
      if (!is_folded_by_classes(pattern)) {
        sum_periods(row, steps * kernel, pattern.period * kernel, to);
        continue;
      }
      if (summed != pattern.period) {
        sum_periods(row, steps * kernel, pattern.period * kernel, scratch);
        summed = pattern.period;
      }
      std::fill_n(to, pattern.classes * kernel, 0.0f);
      for (std::size_t s = 0; s < pattern.period; ++s) {
        float* sum = to + pattern.labels[s] * kernel;
        for (std::size_t j = 0; j < kernel; ++j) sum[j] += scratch[s * kernel + j];
      }
    }
  }
}

void add_unfolded(std::span<const float* const> grad_folded, std::size_t first, std::size_t last,
                  std::size_t steps, std::size_t kernel,
                  std::span<const StepPattern* const> patterns, float* grad_weight,
                  float* scratch) {
  const profile::Scope scope(kProfiled);
  for (std::size_t o = first; o < last; ++o) {
    float* row = grad_weight + o * steps * kernel;
    // Patterns that follow each other with one period are added up before they are repeated.
    for (std::size_t i = 0; i < patterns.size();) {
      const std::size_t period = patterns[i]->period;
      std::fill_n(scratch, period * kernel, 0.0f);
      for (; i < patterns.size() && patterns[i]->period == period; ++i) {
        const float* from = grad_folded[i] + o * patterns[i]->classes * kernel;
        for (std::size_t s = 0; s < period; ++s) {
          const float* own = from + patterns[i]->labels[s] * kernel;
          for (std::size_t j = 0; j < kernel; ++j) scratch[s * kernel + j] += own[j];
        }
      }
      for (std::size_t at = 0; at < steps * kernel; at += period * kernel) {
        const std::size_t count = std::min(period * kernel, steps * kernel - at);
        for (std::size_t j = 0; j < count; ++j) row[at + j] += scratch[j];
      }
    }
  }
}

}  // namespace pulsecast::model
