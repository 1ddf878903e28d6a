#include "pulsecast/model/encoding_side.h"

#include <algorithm>

#include "pulsecast/kernels/elementwise.h"
#include "pulsecast/model/calendar_fold.h"

namespace pulsecast::model {
namespace {

using autodiff::kLanes;
using autodiff::Lanes;

// Rows of the folded weights that a task takes.
constexpr std::size_t kFoldRows = 32;

std::size_t fold_tasks(std::size_t steps) { return (steps + kFoldRows - 1) / kFoldRows; }

}  // namespace

EncodingSide::EncodingSide(const TimeEncoder& encoder, Tape::Mode mode, std::size_t channels,
                           std::size_t width)
    : encoder_(encoder),
      mode_(mode),
      steps_(encoder.steps()),
      width_(width),
      size_(channels * encoder.steps()),
      scratch_(encoder.steps()) {}

void EncodingSide::begin(const Calendars& calendars, std::span<const float> known,
                         std::size_t samples, std::span<const std::uint32_t> partners) {
  of_use_.resize(samples + partners.size());
  if (known.empty()) {
    distinct_ = calendars.distinct;
    features_ = calendars.features.data();
    std::copy_n(calendars.of_sample.begin(), samples, of_use_.begin());
  } else {
    join_known(calendars, known, samples);
  }
  for (std::size_t b = 0; b < partners.size(); ++b) of_use_[samples + b] = of_use_[partners[b]];
  outputs_.resize(distinct_);
  if (is_training()) gradients_.resize(of_use_.size() * size_);
  sort_into_groups();
}

void EncodingSide::join_known(const Calendars& calendars, std::span<const float> known,
                              std::size_t samples) {
  const std::size_t K = known.size() / (samples * steps_);
  const std::size_t F = width_ - K;
  distinct_ = samples;
  joined_.resize(samples * steps_ * width_);
  float* out = joined_.data();
  for (std::size_t b = 0; b < samples; ++b) {
    of_use_[b] = static_cast<std::uint32_t>(b);
    const auto calendar = static_cast<std::size_t>(calendars.of_sample[b]);
    const float* features = calendars.features.data() + calendar * steps_ * F;
    for (std::size_t t = 0; t < steps_; ++t, out += width_) {
      std::copy_n(features + t * F, F, out);
      for (std::size_t k = 0; k < K; ++k) out[F + k] = known[(b * K + k) * steps_ + t];
    }
  }
  features_ = joined_.data();
}

void EncodingSide::sort_into_groups() {
  periods_.resize(distinct_);
  place_.resize(distinct_);
  folded_.calendars.clear();
  plain_.calendars.clear();
  for (std::size_t i = 0; i < distinct_; ++i) {
    periods_[i] = smallest_period(features_ + i * steps_ * width_, steps_, width_, scratch_.data());
  }
  period_ = distinct_ == 0 ? steps_ : *std::ranges::min_element(periods_);
  // Folding passes over all weights once, so it must spare enough and serve more than one calendar.
  const bool is_worth_it = 4 * period_ <= 3 * steps_ && std::ranges::count(periods_, period_) >= 2;
  for (std::size_t i = 0; i < distinct_; ++i) {
    const bool is_folded = is_worth_it && periods_[i] == period_;
    Group& group = is_folded ? folded_ : plain_;
    const auto place = static_cast<std::int32_t>(group.calendars.size());
    place_[i] = is_folded ? place : ~place;
    group.calendars.push_back(static_cast<std::uint32_t>(i));
  }
}

// A few calendars that could not be folded all go to the first lane: each lane that has one needs
// memory for the gradient of all the weights.
EncodingSide::LaneRange EncodingSide::lane_of(const Group& group, std::size_t lane) const {
  const std::size_t count = group.calendars.size();
  if (&group == &plain_ && 8 * count <= distinct_) return {0, lane == 0 ? count : 0};
  const std::size_t first = Lanes::first(lane, count);
  return {first, Lanes::first(lane + 1, count) - first};
}

void EncodingSide::fold(const float* conv_weight, ThreadPool& pool) {
  if (folded_.calendars.empty()) return;
  const std::size_t kernel = encoder_.kernel();
  folded_weight_.resize(steps_ * period_ * kernel);
  pool.run(fold_tasks(steps_), [&](std::size_t task, std::size_t) {
    fold_weight(conv_weight, task * kFoldRows, std::min(steps_, (task + 1) * kFoldRows), steps_,
                period_, kernel, folded_weight_.data());
  });
}

void EncodingSide::forward(std::size_t lane, Arena& arena, BoundParameters& weights) {
  forward(folded_, lane, arena, weights);
  forward(plain_, lane, arena, weights);
}

void EncodingSide::forward(Group& group, std::size_t lane, Arena& arena, BoundParameters& weights) {
  const LaneRange range = lane_of(group, lane);
  if (range.count == 0) return;
  const bool is_folded = &group == &folded_;
  const std::size_t used = is_folded ? period_ : steps_;
  Tape& tape = group.tapes[lane].emplace(arena, mode_);
  float* features = tape.floats(range.count * used * width_);
  for (std::size_t i = 0; i < range.count; ++i) {
    std::copy_n(features_ + group.calendars[range.first + i] * steps_ * width_, used * width_,
                features + i * used * width_);
  }
  Tensor conv = weights[encoder_.conv_weight()];
  if (is_folded) {
    std::vector<float>& gradient = folded_gradients_[lane];
    if (is_training()) gradient.resize(folded_weight_.size());
    conv =
        tape.variable(folded_weight_.data(), {steps_, period_, encoder_.kernel()}, gradient.data());
  }
  group.results[lane] =
      encoder_(tape, weights, tape.constant(features, {range.count, used, width_}), conv);
  for (std::size_t i = 0; i < range.count; ++i) {
    outputs_[group.calendars[range.first + i]] = group.results[lane].data + i * size_;
  }
}

void EncodingSide::backward(std::size_t lane, Arena& arena) {
  backward(plain_, lane, arena);
  backward(folded_, lane, arena);
}

void EncodingSide::backward(Group& group, std::size_t lane, Arena& arena) {
  const LaneRange range = lane_of(group, lane);
  if (range.count == 0) return;
  const std::span<float> sum = arena.allocate<float>(range.count * size_);
  std::ranges::fill(sum, 0.0f);
  for (std::size_t use = 0; use < of_use_.size(); ++use) {
    const std::int32_t place = place_[of_use_[use]];
    if ((place >= 0) != (&group == &folded_)) continue;
    const auto index = static_cast<std::size_t>(place >= 0 ? place : ~place);
    if (index < range.first || index >= range.first + range.count) continue;
    kernels::scale(size_, 1.0f, gradient(use), true, sum.data() + (index - range.first) * size_);
  }
  group.tapes[lane]->backward(group.results[lane], sum.data());
}

void EncodingSide::unfold(float* conv_gradient, ThreadPool& pool) {
  if (folded_.calendars.empty()) return;
  const std::size_t kernel = encoder_.kernel();
  const std::size_t row = period_ * kernel;
  pool.run(fold_tasks(steps_), [&](std::size_t task, std::size_t) {
    const std::size_t first = task * kFoldRows;
    const std::size_t last = std::min(steps_, first + kFoldRows);
    // The sum over lanes, in their order, in the memory of the first that has any.
    float* sum = nullptr;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (lane_of(folded_, lane).count == 0) continue;
      float* own = folded_gradients_[lane].data() + first * row;
      if (sum == nullptr) {
        sum = own;
      } else {
        kernels::scale((last - first) * row, 1.0f, own, true, sum);
      }
    }
    add_unfolded(sum - first * row, first, last, steps_, period_, kernel, conv_gradient);
  });
}

std::size_t EncodingSide::spent() const {
  std::size_t operations = 0;
  for (const Group* group : {&folded_, &plain_}) {
    for (std::size_t lane = 0; lane < autodiff::kLanes; ++lane) {
      if (lane_of(*group, lane).count == 0) continue;
      operations += group->tapes[lane]->spent();
    }
  }
  return operations;
}

std::size_t EncodingSide::memory() const {
  std::size_t floats = gradients_.capacity() + joined_.capacity() + folded_weight_.capacity();
  for (const std::vector<float>& gradient : folded_gradients_) floats += gradient.capacity();
  return floats * sizeof(float);
}

}  // namespace pulsecast::model
