#include "pulsecast/train/head_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/calibrate/conformal_head.h"
#include "pulsecast/kernels/pointwise/adam.h"

namespace pulsecast::train {
namespace {

using calibrate::ErrorSheet;
using calibrate::kGrid;
using calibrate::QuantileHead;

constexpr std::size_t kShards = 8;  // of a step, each of one channel
constexpr std::size_t kWindows = 32;
constexpr std::size_t kSteps = 8;  // of each window
constexpr std::size_t kRows = kWindows * kSteps;
constexpr std::size_t kMostSteps = 800;
constexpr std::size_t kLeastSteps = 400;
constexpr std::size_t kPasses = 8;     // over the scores, between the two
constexpr std::size_t kCentring = 16;  // steps' worth of draws that the mean is taken over
constexpr double kHeadRate = 0.01;

// Some rows of one channel, as the head reads them, with the scores that they had.
struct Draw {
  std::array<std::uint32_t, 1> channel;
  std::array<float, kRows * QuantileHead::kInputs> inputs;
  std::array<float, kRows> scores;  // in units of usual ones
};

class Drawer {
 public:
  Drawer(const ErrorSheet& sheet, const calibrate::Calibration& calibration,
         const QuantileHead& head, std::uint64_t seed, ThreadPool& pool)
      : sheet_(sheet),
        calibration_(calibration),
        head_(head),
        seed_(seed),
        usual_(calibrate::usual_scores(sheet, calibration, pool)) {
    for (std::uint32_t c = 0; c < sheet.channels; ++c) {
      std::vector<std::uint32_t> own;
      for (std::uint32_t w = 0; w < sheet.windows; ++w) {
        if (sheet.has(c, w)) own.push_back(w);
      }
      if (own.empty()) continue;
      channels_.push_back(c);
      windows_.push_back(std::move(own));
    }
  }

  bool is_empty() const { return channels_.empty(); }
  std::size_t scores() const {
    std::size_t windows = 0;
    for (const auto& own : windows_) windows += own.size();
    return windows * sheet_.horizon;
  }

  // The draw of a shard of a step: a pure function of both.
  void fill(std::size_t step, std::size_t shard, Draw& out) const {
    const random::Stream stream{seed_, random::Purpose::kQuantileHead, 0,
                                static_cast<std::uint32_t>(step)};
    std::uint64_t index = shard * (1 + kWindows * (1 + kSteps));
    const auto below = [&](std::size_t count) {
      return static_cast<std::size_t>(random::uniform(stream, index++) *
                                      static_cast<double>(count));
    };
    const std::size_t place = below(channels_.size());
    const std::uint32_t c = channels_[place];
    const calibrate::LocalScale& scale = calibration_.sets()[c].scale;
    out.channel = {c};
    std::vector<float> scales(sheet_.horizon);
    for (std::size_t i = 0; i < kWindows; ++i) {
      const std::size_t w = windows_[place][below(windows_[place].size())];
      const calibrate::Outlook window = sheet_.outlook_of(c, w);
      scale.of(window.look, window.phases, scales);
      for (std::size_t j = 0; j < kSteps; ++j) {
        const std::size_t h = below(sheet_.horizon);
        const std::size_t row = i * kSteps + j;
        head_.read(scale, window, h, 1, {QuantileHead::kInputs, 1},
                   out.inputs.data() + row * QuantileHead::kInputs);
        const float usual = usual_[c * sheet_.horizon + h];
        const float score = sheet_.errors_of(c, w)[h] / scales[h];
        out.scores[row] = usual > 0.0f ? score / usual : 0.0f;
      }
    }
  }

 private:
  const ErrorSheet& sheet_;
  const calibrate::Calibration& calibration_;
  const QuantileHead& head_;
  std::uint64_t seed_;
  std::vector<float> usual_;             // (C, H)
  std::vector<std::uint32_t> channels_;  // that have windows
  std::vector<std::vector<std::uint32_t>> windows_;
};

std::array<float, kGrid> probabilities() {
  std::array<float, kGrid> all{};
  std::ranges::transform(calibrate::kProbabilities, all.begin(),
                         [](double p) { return static_cast<float>(p); });
  return all;
}

// The last bias begins at the quantiles of what is drawn, of all channels together.
void begin_at_quantiles(const Drawer& drawer, QuantileHead& head) {
  std::vector<float> scores;
  Draw draw;
  for (std::size_t shard = 0; shard < 2 * kShards; ++shard) {
    drawer.fill(kMostSteps, shard, draw);
    scores.insert(scores.end(), draw.scores.begin(), draw.scores.end());
  }
  std::ranges::sort(scores);
  const auto bias = head.output_bias();
  for (std::size_t q = 0; q < kGrid; ++q) {
    bias[q] = scores[static_cast<std::size_t>(calibrate::kProbabilities[q] *
                                              static_cast<double>(scores.size()))];
  }
}

// Takes off what the head says on average, which the ranks are to say.
void centre(const Drawer& drawer, QuantileHead& head) {
  std::array<double, kGrid> sums{};
  Draw draw;
  Arena arena;
  autodiff::BoundParameters weights(std::as_const(head).parameters());
  for (std::size_t step = 0; step < kCentring; ++step) {
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      drawer.fill(kMostSteps + 1 + step, shard, draw);
      arena.reset();
      autodiff::Tape tape(arena, autodiff::Tape::Mode::kInference);
      const autodiff::Tensor said = head.forward(
          tape, weights, tape.constant(draw.inputs.data(), {kRows, QuantileHead::kInputs}),
          draw.channel);
      for (std::size_t i = 0; i < kRows * kGrid; ++i) sums[i % kGrid] += double{said.data[i]};
    }
  }
  const auto bias = head.output_bias();
  for (std::size_t q = 0; q < kGrid; ++q) {
    bias[q] -= static_cast<float>(sums[q] / static_cast<double>(kCentring * kShards * kRows));
  }
}

}  // namespace

std::shared_ptr<const QuantileHead> fit_head(const ErrorSheet& sheet,
                                             const calibrate::Calibration& calibration,
                                             std::size_t period, std::uint64_t seed,
                                             ThreadPool& pool, const Watch& watch) {
  auto head = std::make_shared<QuantileHead>(sheet.channels, sheet.horizon, period);
  const Drawer drawer(sheet, calibration, *head, seed, pool);
  if (drawer.is_empty()) return nullptr;
  head->initialise(seed);
  begin_at_quantiles(drawer, *head);
  const std::array<float, kGrid> probability = probabilities();
  const std::size_t steps =
      std::clamp(kPasses * drawer.scores() / (kShards * kRows), kLeastSteps, kMostSteps);
  autodiff::Lanes lanes(head->parameters(), pool);
  const std::size_t count = head->parameters().count();
  std::vector<float> moment1(count);
  std::vector<float> moment2(count);
  std::vector<Draw> draws(kShards);
  constexpr float kWeight = 1.0f / (kShards * kRows * kGrid);
  for (std::size_t step = 0; step < steps; ++step) {
    lanes.run({kShards, kShards}, [&](std::size_t shard, autodiff::Tape& tape,
                                      autodiff::BoundParameters& weights) {
      Draw& draw = draws[shard];
      drawer.fill(step, shard, draw);
      const autodiff::Tensor said = head->forward(
          tape, weights, tape.constant(draw.inputs.data(), {kRows, QuantileHead::kInputs}),
          draw.channel);
      return quantile_error(tape, said, tape.constant(draw.scores.data(), {kRows}), probability,
                            kWeight);
    });
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    const kernels::AdamSettings adam{.learning_rate = 0.5 * kHeadRate *
                                                      (1.0 + std::cos(std::numbers::pi * done))};
    kernels::adam(count, adam, static_cast<std::int64_t>(step) + 1, lanes.gradients().data(),
                  head->parameters().weights().data(), moment1.data(), moment2.data());
    watch.advance("quantile head", step + 1, steps);
  }
  centre(drawer, *head);
  return head;
}

}  // namespace pulsecast::train
