// The time encodings of a batch's histories, or of its futures: one per distinct calendar.
//
// Calendars are sorted by their pattern (calendar_fold.h): those that share one are encoded through
// weights folded by it, and those whose steps are hardly alike (or that stand alone with theirs)
// are encoded as they are. The sorted list is cut into lanes of about the same work, a tape for
// each piece of a pattern in a lane. What is folded, and where it is computed, is a function of the
// batch alone.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/autodiff/sum_tree.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/calendar_fold.h"
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
  // In inference: encodings are kept by the key of their calendar, below `keys`, for the batches to
  // come; what was kept before is forgotten. More than a few dozen megabytes are not kept.
  void keep(std::size_t keys);
  // Calendars of the batch whose encoding is not kept.
  std::size_t pending() const { return pending_.size(); }
  // Finds the patterns, cuts the calendars into lanes and folds the convolution's weight (steps,
  // steps, kernel) by each pattern; on all threads.
  void fold(const float* conv_weight, std::size_t lanes, ThreadPool& pool);
  void forward(std::size_t lane, Arena& arena, BoundParameters& weights);
  void backward(std::size_t lane, Arena& arena);
  // Adds what came back to the folded weights to the gradient of the weight.
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
  // Calendars that are encoded with the same weights.
  struct Group {
    StepPattern pattern;
    bool is_folded = false;
    std::size_t calendars = 0;
    std::vector<float> weight;  // (steps, classes, kernel)
  };
  // The calendars of one group in one lane, [first, first + count) of the sorted list.
  struct Piece {
    std::size_t group = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::optional<Tape> tape;
    Tensor result;
    std::vector<float> gradient;  // of the group's weight
  };
  struct Lane {
    std::size_t pieces = 0;                      // of the below, in use
    std::vector<std::unique_ptr<Piece>> memory;  // a tape stays where it is
    std::span<const std::unique_ptr<Piece>> used() const { return std::span(memory).first(pieces); }
  };

  void join_known(const Calendars& calendars, std::span<const float> known, std::size_t samples);
  void find_patterns(ThreadPool& pool);
  void sort_into_groups();
  void cut_into_lanes(std::size_t lanes);
  std::size_t group_for(const StepPattern& pattern);
  std::size_t inputs_of(const Group& group) const {
    return group.is_folded ? group.pattern.classes : steps_;
  }
  void forward(Piece& piece, Arena& arena, BoundParameters& weights);
  void backward(Piece& piece, Arena& arena);
  void add_pieces(std::size_t begin, std::size_t end);
  bool is_training() const { return mode_ == Tape::Mode::kTraining; }

  const TimeEncoder& encoder_;
  Tape::Mode mode_;
  std::size_t steps_;
  std::size_t width_;
  std::size_t size_;  // C * steps

  std::size_t distinct_ = 0;
  const float* features_ = nullptr;     // (distinct, steps, width)
  std::vector<float> joined_;           // the same with known columns, where there are any
  std::vector<std::uint32_t> of_use_;   // which encoding a use reads
  std::vector<const float*> outputs_;   // (distinct)
  std::vector<std::uint32_t> pending_;  // calendars that are to be encoded
  std::vector<float> gradients_;        // (uses, C, steps)

  const std::int32_t* keys_ = nullptr;  // (distinct)
  // (keys, C, steps), left as the system gives it: what is not kept yet takes no memory.
  std::unique_ptr<float[]> kept_;
  std::size_t kept_floats_ = 0;
  std::vector<std::uint8_t> is_kept_;  // (keys); empty where nothing is to be kept

  std::vector<PatternFinder> finders_;  // one per worker
  std::vector<StepPattern> patterns_;   // (distinct) of each calendar that is to be encoded
  std::size_t group_count_ = 0;         // of the below, in use
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;  // (distinct)
  std::vector<std::uint32_t> sorted_;    // the pending calendars, by group
  std::vector<std::uint32_t> place_;     // (distinct) of a calendar in `sorted_`
  std::array<Lane, autodiff::kMostLanes> lanes_;
  std::vector<const StepPattern*> folded_patterns_;
  std::vector<float*> folded_weights_;
  // Of each folded group, one after the other: the gradients of its pieces, in the lanes' order.
  std::vector<float*> piece_gradients_;
  std::vector<std::size_t> first_piece_;  // (folded groups + 1), in the above
  std::vector<const float*> folded_gradients_;
  std::vector<float> scratch_;  // (workers, steps, kernel)
};

}  // namespace pulsecast::model
