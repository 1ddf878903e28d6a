// A small perceptron that says how the quantiles of a window's errors differ from the usual ones.
//
// It reads a few numbers about each step: how restless the look-back is, where the forecast lies in
// it, how far it is from the last value and from that of a cycle ago, how far ahead and at which
// phase the step is. Weights are shared by all steps and channels; a channel has its own bias of
// the first layer. What it says is in units of the channel's and step's usual score and is 0 on
// average over the training rows, so that the quantiles kept beside it are those of a usual window:
//
//   quantile of p = scale * (score(set, step, p) + unit(set, step) * shift(p, window))
//
// It need not be right: scores are ranked after what it says was taken off (conformal quantile
// regression, Romano et al., 2019), so that the ranks keep the promise whatever it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/autodiff/parameters.h"
#include "pulsecast/calibrate/local_scale.h"
#include "pulsecast/calibrate/look_back.h"
#include "pulsecast/calibrate/probabilities.h"
#include "pulsecast/calibrate/range_request.h"

namespace pulsecast::calibrate {

class QuantileHead {
 public:
  static constexpr std::size_t kInputs = 12;
  static constexpr std::size_t kHidden = 16;
  static constexpr std::size_t kParameters = 4;  // tensors of weights

  // Of phases below `period`.
  QuantileHead(std::size_t channels, std::size_t horizon, std::size_t period);

  std::size_t channels() const { return channels_; }
  std::size_t horizon() const { return steps_.size(); }
  autodiff::Parameters& parameters() { return parameters_; }
  const autodiff::Parameters& parameters() const { return parameters_; }
  std::span<float> output_bias() { return parameters_.weights(output_bias_); }

  // Every weight but the last bias, drawn.
  void initialise(std::uint64_t seed);

  // What it reads of steps [first, first + steps) of a window: number k of step i goes to
  // out[i * of_step + k * of_input].
  struct Layout {
    std::size_t of_step;
    std::size_t of_input;
  };
  void read(const LocalScale& scale, const Outlook& window, std::size_t first, std::size_t steps,
            Layout layout, float* out) const;

  // x (rows, kInputs) of a channel's steps -> (rows, kGrid), in units of usual scores.
  autodiff::Tensor forward(autodiff::Tape& tape, autodiff::BoundParameters& weights,
                           const autodiff::Tensor& x, std::span<const std::uint32_t> channel) const;

 private:
  friend class HeadReader;

  static constexpr std::size_t kWaves = 4;  // of a phase: sine and cosine, once and twice a cycle

  std::size_t channels_;
  std::vector<float> steps_;   // (H) how far ahead, from -1 to 1
  std::vector<float> phases_;  // (W, kWaves)
  autodiff::Parameters parameters_;
  autodiff::ParameterId input_;
  autodiff::ParameterId channel_bias_;
  autodiff::ParameterId output_;
  autodiff::ParameterId output_bias_;
};

// What a head says at some probabilities, of one window after the other. It belongs to one thread.
class HeadReader {
 public:
  // `head` outlives it.
  HeadReader(const QuantileHead& head, const RangeRequest& request);
  // At all that are kept.
  explicit HeadReader(const QuantileHead& head);

  // Of steps [first, first + steps) of a window of a channel: (P, steps), good until the next call.
  std::span<const float> shifts(std::size_t channel, const LocalScale& scale, const Outlook& window,
                                std::size_t first, std::size_t steps);

 private:
  const QuantileHead& head_;
  std::vector<float> output_;       // (P, kHidden)
  std::vector<float> output_bias_;  // (P)
  std::vector<float> inputs_;       // (kInputs, steps)
  std::vector<float> said_;         // (P, steps)
};

}  // namespace pulsecast::calibrate
