// The time encodings of a batch's histories, or of its futures: one a distinct calendar.
//
// Calendars that repeat after q steps are encoded through folded weights (calendar_fold.h); q is
// the shortest period that a calendar of the batch has, and those that do not have it (a stretch
// across a gap in the rows) are encoded as they are. So there are two groups, each cut into lanes
// with a tape a lane. What is folded, and where, is a function of the batch alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/time_encoder.h"

namespace pulsecast::model {

class EncodingSide {
 public:
  // `encoder` outlives it. `width` is the number of features and known columns.
  EncodingSide(const TimeEncoder& encoder, Tape::Mode mode, std::size_t channels,
               std::size_t width);

  // known (samples, K, steps), may be empty. `partners` (samples or none) as in encodings.h.
  void begin(const Calendars& calendars, std::span<const float> known, std::size_t samples,
             std::span<const std::uint32_t> partners);
  // Folds the convolution's weight (steps, steps, kernel), where anything is folded; on all
  // threads.
  void fold(const float* conv_weight, ThreadPool& pool);
  void forward(std::size_t lane, Arena& arena, BoundParameters& weights);
  void backward(std::size_t lane, Arena& arena);
  // Adds what came back to the folded weight to the gradient of the weight.
  void unfold(float* conv_gradient, ThreadPool& pool);

  const float* of_sample(std::size_t sample) const { return outputs_[of_use_[sample]]; }
  // Null in inference.
  float* gradient(std::size_t use) {
    return gradients_.empty() ? nullptr : gradients_.data() + use * size_;
  }
  std::size_t memory() const;
  // Of the last forward pass; see Tape::spent.
  std::size_t spent() const;

 private:
  struct Group {
    std::vector<std::uint32_t> calendars;
    std::array<std::optional<Tape>, autodiff::kLanes> tapes;
    std::array<Tensor, autodiff::kLanes> results;
  };
  struct LaneRange {
    std::size_t first;
    std::size_t count;
  };

  void join_known(const Calendars& calendars, std::span<const float> known, std::size_t samples);
  void sort_into_groups();
  LaneRange lane_of(const Group& group, std::size_t lane) const;
  void forward(Group& group, std::size_t lane, Arena& arena, BoundParameters& weights);
  void backward(Group& group, std::size_t lane, Arena& arena);
  bool is_training() const { return mode_ == Tape::Mode::kTraining; }

  const TimeEncoder& encoder_;
  Tape::Mode mode_;
  std::size_t steps_;
  std::size_t width_;
  std::size_t size_;  // C * steps

  std::size_t distinct_ = 0;
  const float* features_ = nullptr;    // (distinct, steps, width)
  std::vector<float> joined_;          // the same with known columns, where there are any
  std::vector<std::uint32_t> of_use_;  // which encoding a use reads
  std::vector<const float*> outputs_;  // (distinct)
  std::vector<float> gradients_;       // (uses, C, steps)

  Group folded_;
  Group plain_;
  std::size_t period_ = 0;            // q of the folded group
  std::vector<std::size_t> periods_;  // of each distinct calendar
  std::vector<std::size_t> scratch_;  // for finding them
  std::vector<std::int32_t> place_;   // of a distinct calendar in its group; ~place if plain
  std::vector<float> folded_weight_;  // (steps, q, kernel)
  std::array<std::vector<float>, autodiff::kLanes> folded_gradients_;
};

}  // namespace pulsecast::model
