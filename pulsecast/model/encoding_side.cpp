#include "pulsecast/model/encoding_side.h"

#include <algorithm>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::model {
namespace {

// Rows of the folded weights that a task takes.
constexpr std::size_t kFoldRows = 32;
// Calendars whose patterns a task finds.
constexpr std::size_t kFindCalendars = 8;
// Floats of encodings that are kept at most.
constexpr std::size_t kMostKept = 16 << 20;

std::size_t tasks_of(std::size_t count, std::size_t each) { return (count + each - 1) / each; }

// Grows, never shrinks: what is in use is counted apart, so that a steady state allocates nothing.
template <typename T>
void hold(std::vector<T>& vector, std::size_t count) {
  if (vector.size() < count) vector.resize(count);
}

}  // namespace

EncodingSide::EncodingSide(const TimeEncoder& encoder, Tape::Mode mode, std::size_t channels,
                           std::size_t width)
    : encoder_(encoder),
      mode_(mode),
      steps_(encoder.steps()),
      width_(width),
      size_(channels * encoder.steps()) {}

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
  hold(outputs_, distinct_);
  for (Lane& lane : lanes_) lane.pieces = 0;  // of the last batch
  pending_.clear();
  // With known columns windows that share a calendar differ all the same.
  keys_ = known.empty() && !is_kept_.empty() ? calendars.keys.data() : nullptr;
  for (std::size_t i = 0; i < distinct_; ++i) {
    if (keys_ != nullptr && is_kept_[static_cast<std::size_t>(keys_[i])] != 0) {
      outputs_[i] = kept_.get() + static_cast<std::size_t>(keys_[i]) * size_;
    } else {
      pending_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (is_training()) gradients_.resize(of_use_.size() * size_);
}

void EncodingSide::keep(std::size_t keys) {
  const std::size_t count = keys * size_ <= kMostKept ? keys : 0;
  if (count * size_ > kept_floats_) {
    kept_floats_ = count * size_;
    kept_ = std::make_unique_for_overwrite<float[]>(kept_floats_);
  }
  is_kept_.assign(count, 0);
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

void EncodingSide::find_patterns(ThreadPool& pool) {
  hold(patterns_, distinct_);
  while (finders_.size() < pool.size()) finders_.emplace_back(steps_, width_);
  pool.run(tasks_of(pending_.size(), kFindCalendars), [&](std::size_t task, std::size_t worker) {
    const profile::Scope scope("find patterns");
    const std::size_t end = std::min(pending_.size(), (task + 1) * kFindCalendars);
    for (std::size_t i = task * kFindCalendars; i < end; ++i) {
      finders_[worker].find(features_ + pending_[i] * steps_ * width_, patterns_[pending_[i]]);
    }
  });
}

std::size_t EncodingSide::group_for(const StepPattern& pattern) {
  for (std::size_t i = 0; i < group_count_; ++i) {
    if (groups_[i].pattern == pattern) return i;
  }
  hold(groups_, group_count_ + 1);
  Group& added = groups_[group_count_];
  added.pattern = pattern;
  added.calendars = 0;
  return group_count_++;
}

void EncodingSide::sort_into_groups() {
  hold(group_of_, distinct_);
  hold(sorted_, distinct_);
  hold(place_, distinct_);
  group_count_ = 0;
  for (const std::uint32_t i : pending_) {
    const std::size_t group = group_for(patterns_[i]);
    group_of_[i] = static_cast<std::uint32_t>(group);
    ++groups_[group].calendars;
  }
  std::size_t at = 0;
  for (std::size_t g = 0; g < group_count_; ++g) {
    // Folding passes over all weights, so it must spare enough and serve more than one calendar.
    Group& group = groups_[g];
    group.is_folded = 4 * group.pattern.classes <= 3 * steps_ && group.calendars >= 2;
    for (const std::uint32_t i : pending_) {
      if (group_of_[i] != g) continue;
      place_[i] = static_cast<std::uint32_t>(at);
      sorted_[at++] = i;
    }
  }
}

// The work of a calendar is about its inputs. A lane takes the calendars that begin within its
// share of all work.
void EncodingSide::cut_into_lanes(std::size_t lanes) {
  std::size_t all = 0;
  for (std::size_t g = 0; g < group_count_; ++g) {
    all += groups_[g].calendars * inputs_of(groups_[g]);
  }
  std::size_t before = 0;
  std::size_t place = 0;
  for (std::size_t g = 0; g < group_count_; ++g) {
    for (std::size_t i = 0; i < groups_[g].calendars; ++i, ++place) {
      Lane& lane = lanes_[before * lanes / all];
      before += inputs_of(groups_[g]);
      if (lane.pieces > 0 && lane.memory[lane.pieces - 1]->group == g) {
        ++lane.memory[lane.pieces - 1]->count;
        continue;
      }
      if (lane.pieces == lane.memory.size()) lane.memory.push_back(std::make_unique<Piece>());
      Piece& piece = *lane.memory[lane.pieces++];
      piece.group = g;
      piece.first = place;
      piece.count = 1;
    }
  }
}

void EncodingSide::fold(const float* conv_weight, std::size_t lanes, ThreadPool& pool) {
  find_patterns(pool);
  sort_into_groups();
  cut_into_lanes(lanes);
  const std::size_t kernel = encoder_.kernel();
  folded_patterns_.clear();
  folded_weights_.clear();
  for (Group& group : std::span(groups_).first(group_count_)) {
    if (!group.is_folded) continue;
    hold(group.weight, steps_ * group.pattern.classes * kernel);
    folded_patterns_.push_back(&group.pattern);
    folded_weights_.push_back(group.weight.data());
  }
  if (folded_patterns_.empty()) return;
  hold(scratch_, pool.size() * steps_ * kernel);
  pool.run(tasks_of(steps_, kFoldRows), [&](std::size_t task, std::size_t worker) {
    fold_weight(conv_weight, task * kFoldRows, std::min(steps_, (task + 1) * kFoldRows), steps_,
                kernel, folded_patterns_, folded_weights_,
                scratch_.data() + worker * steps_ * kernel);
  });
}

void EncodingSide::forward(std::size_t lane, Arena& arena, BoundParameters& weights) {
  for (const auto& piece : lanes_[lane].used()) forward(*piece, arena, weights);
}

void EncodingSide::forward(Piece& piece, Arena& arena, BoundParameters& weights) {
  const Group& group = groups_[piece.group];
  const std::size_t used = inputs_of(group);
  Tape& tape = piece.tape.emplace(arena, mode_);
  float* features = tape.floats(piece.count * used * width_);
  for (std::size_t i = 0; i < piece.count; ++i) {
    const float* own = features_ + sorted_[piece.first + i] * steps_ * width_;
    if (!group.is_folded) {
      std::copy_n(own, steps_ * width_, features + i * steps_ * width_);
      continue;
    }
    // A class is as its steps are; labels grow by one where a class appears first.
    std::size_t classes = 0;
    for (std::size_t s = 0; classes < used; ++s) {
      if (group.pattern.labels[s] != classes) continue;
      std::copy_n(own + s * width_, width_, features + (i * used + classes++) * width_);
    }
  }
  Tensor conv = weights[encoder_.conv_weight()];
  if (group.is_folded) {
    const std::size_t size = steps_ * used * encoder_.kernel();
    if (is_training()) hold(piece.gradient, size);
    conv = tape.variable(group.weight.data(), {steps_, used, encoder_.kernel()},
                         piece.gradient.data());
  }
  piece.result =
      encoder_(tape, weights, tape.constant(features, {piece.count, used, width_}), conv);
  for (std::size_t i = 0; i < piece.count; ++i) {
    const std::size_t calendar = sorted_[piece.first + i];
    outputs_[calendar] = piece.result.data + i * size_;
    if (keys_ == nullptr) continue;
    const auto key = static_cast<std::size_t>(keys_[calendar]);
    std::copy_n(piece.result.data + i * size_, size_, kept_.get() + key * size_);
    is_kept_[key] = 1;
  }
}

void EncodingSide::backward(std::size_t lane, Arena& arena) {
  for (const auto& piece : lanes_[lane].used()) backward(*piece, arena);
}

void EncodingSide::backward(Piece& piece, Arena& arena) {
  const std::span<float> sum = arena.allocate<float>(piece.count * size_);
  std::ranges::fill(sum, 0.0f);
  for (std::size_t use = 0; use < of_use_.size(); ++use) {
    const std::size_t place = place_[of_use_[use]];
    if (place < piece.first || place >= piece.first + piece.count) continue;
    kernels::scale(size_, 1.0f, gradient(use), true, sum.data() + (place - piece.first) * size_);
  }
  piece.tape->backward(piece.result, sum.data());
}

void EncodingSide::unfold(float* conv_gradient, ThreadPool& pool) {
  if (folded_patterns_.empty()) return;
  const std::size_t kernel = encoder_.kernel();
  folded_gradients_.clear();
  piece_gradients_.clear();
  first_piece_.clear();
  for (std::size_t g = 0; g < group_count_; ++g) {
    if (!groups_[g].is_folded) continue;
    first_piece_.push_back(piece_gradients_.size());
    for (const Lane& lane : lanes_) {
      for (const auto& piece : lane.used()) {
        if (piece->group == g) piece_gradients_.push_back(piece->gradient.data());
      }
    }
    folded_gradients_.push_back(piece_gradients_[first_piece_.back()]);
  }
  first_piece_.push_back(piece_gradients_.size());
  pool.run(tasks_of(steps_, kFoldRows), [&](std::size_t task, std::size_t worker) {
    const std::size_t begin = task * kFoldRows;
    const std::size_t end = std::min(steps_, begin + kFoldRows);
    add_pieces(begin, end);
    add_unfolded(folded_gradients_, begin, end, steps_, kernel, folded_patterns_, conv_gradient,
                 scratch_.data() + worker * steps_ * kernel);
  });
}

// Rows [begin, end) of the gradients of a group are added up in the memory of its first piece.
void EncodingSide::add_pieces(std::size_t begin, std::size_t end) {
  for (std::size_t f = 0; f < folded_patterns_.size(); ++f) {
    const std::size_t row = folded_patterns_[f]->classes * encoder_.kernel();
    float* sum = piece_gradients_[first_piece_[f]];
    for (std::size_t p = first_piece_[f] + 1; p < first_piece_[f + 1]; ++p) {
      kernels::scale((end - begin) * row, 1.0f, piece_gradients_[p] + begin * row, true,
                     sum + begin * row);
    }
  }
}

std::size_t EncodingSide::spent() const {
  std::size_t operations = 0;
  for (const Lane& lane : lanes_) {
    for (const auto& piece : lane.used()) operations += piece->tape->spent();
  }
  return operations;
}

std::size_t EncodingSide::memory() const {
  const auto kept = static_cast<std::size_t>(std::ranges::count(is_kept_, 1));
  std::size_t floats =
      gradients_.capacity() + joined_.capacity() + scratch_.capacity() + kept * size_;
  for (const Group& group : groups_) floats += group.weight.capacity();
  for (const Lane& lane : lanes_) {
    for (const auto& piece : lane.memory) floats += piece->gradient.capacity();
  }
  return floats * sizeof(float);
}

}  // namespace pulsecast::model
