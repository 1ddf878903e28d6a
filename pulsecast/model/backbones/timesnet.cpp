// TimesNet (Wu et al., 2023): history and future as one series of T + H steps of `width` features.
// Every block folds it by its strongest periods into pictures of (cycles, period), runs two
// inception blocks of 2-D convolutions over each, and adds them up by the strength of the periods.
//
// The published model takes the periods from the spectrum of the batch, so a forecast depends on
// its batch-mates. Ours does so in training only, keeps a running mean of the spectrum as a buffer,
// and takes the periods from that in inference. A sample's own spectrum weighs the periods either
// way.
//
// An inception block is the mean of convolutions with kernels 1, 3, ... 11. That is one convolution
// with the mean of the kernels, each laid centred into the largest: the same numbers for less than
// half of the products.

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>

#include "pulsecast/kernels/spectrum/fft.h"
#include "pulsecast/model/backbone.h"
#include "pulsecast/model/encoder_layer.h"
#include "pulsecast/model/periods.h"
#include "pulsecast/model/positions.h"

namespace pulsecast::model {
namespace {

using namespace autodiff;

constexpr std::size_t kKernels = 6;
constexpr std::size_t kLargestKernel = 2 * kKernels - 1;

class Inception {
 public:
  Inception(Parameters& parameters, const std::string& name, std::size_t in, std::size_t out)
      : out_(out) {
    for (std::size_t i = 0; i < kKernels; ++i) {
      const std::string own = name + "." + std::to_string(i);
      weights_[i] = parameters.add(own + ".weight", {out, in, 2 * i + 1, 2 * i + 1});
      biases_[i] = parameters.add(own + ".bias", {out});
    }
  }

  // Normal with variance 2 over the fan out; no bias.
  void initialise(Parameters& parameters, std::uint64_t seed) const {
    for (std::size_t i = 0; i < kKernels; ++i) {
      const auto fan_out = static_cast<float>(out_ * (2 * i + 1) * (2 * i + 1));
      parameters.fill_normal(weights_[i], seed, std::sqrt(2.0f / fan_out));
      parameters.fill(biases_[i], 0.0f);
    }
  }

  // The one kernel that is the mean of all, and its bias: made once a pass.
  struct Merged {
    Tensor weight;  // (out, in, 11, 11)
    Tensor bias;    // (out)
    Tensor operator()(Tape& tape, const Tensor& x) const {
      return convolution_2d(tape, x, weight, bias, kKernels - 1, kKernels - 1);
    }
  };
  Merged merged(Tape& tape, BoundParameters& weights) const {
    Tensor weight = centre_kernel(tape, weights[weights_[0]], kLargestKernel);
    Tensor bias = weights[biases_[0]];
    for (std::size_t i = 1; i < kKernels; ++i) {
      weight = add(tape, weight, centre_kernel(tape, weights[weights_[i]], kLargestKernel));
      bias = add(tape, bias, weights[biases_[i]]);
    }
    constexpr float kShare = 1.0f / static_cast<float>(kKernels);
    return {scale(tape, weight, kShare), scale(tape, bias, kShare)};
  }

 private:
  std::size_t out_;
  std::array<ParameterId, kKernels> weights_{};
  std::array<ParameterId, kKernels> biases_{};
};

class TimesBlock {
 public:
  TimesBlock(Parameters& parameters, const std::string& name, const BackboneSizes& sizes,
             std::size_t steps)
      : steps_(steps),
        top_(std::min(sizes.top_periods, steps / 2)),
        spectrum_(parameters, name + ".spectrum", steps / 2 + 1),
        first_(parameters, name + ".first", sizes.width, sizes.feed_forward),
        second_(parameters, name + ".second", sizes.feed_forward, sizes.width) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    spectrum_.initialise(parameters);
    first_.initialise(parameters, seed);
    second_.initialise(parameters, seed);
  }

  // x (samples, width, S) -> the same
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    const kernels::RealFft& fft, bool is_training) const {
    const std::size_t samples = x.shape[0];
    const std::size_t size = x.shape[1] * steps_;
    const Tensor strength = strengths(tape, x, fft);  // (samples, bins)
    const std::span<const std::uint32_t> bins =
        strongest(tape, spectrum_(tape, weights, strength, is_training), 1, fft.bins(), top_);
    const Tensor shares = shares_of(tape, strength, bins, top_).reshaped({samples, top_, 1});

    const Inception::Merged first = first_.merged(tape, weights);
    const Inception::Merged second = second_.merged(tape, weights);
    float* zeros = tape.floats(samples);
    std::fill_n(zeros, samples, 0.0f);
    const Tensor nothing = tape.constant(zeros, {samples});
    Tensor sum = x.reshaped({samples, size});
    for (std::size_t i = 0; i < top_; ++i) {
      const Tensor seen = second(tape, gelu(tape, first(tape, fold(tape, x, steps_ / bins[i]))));
      const Tensor flat = resize_width(
          tape, seen.reshaped({samples, x.shape[1], seen.shape[2] * seen.shape[3]}), steps_);
      const Tensor share = take_tokens(tape, shares, i, 1).reshaped({samples});
      sum = add(tape, sum, scale_rows(tape, flat.reshaped({samples, size}), share, nothing));
    }
    return sum.reshaped(x.shape);
  }

 private:
  // x (samples, width, S) -> (samples, width, cycles, period), zeros after the end
  static Tensor fold(Tape& tape, const Tensor& x, std::size_t period) {
    const std::size_t cycles = (x.shape[2] + period - 1) / period;
    return resize_width(tape, x, cycles * period)
        .reshaped({x.shape[0], x.shape[1], cycles, period});
  }

  std::size_t steps_;
  std::size_t top_;
  RunningSpectrum spectrum_;
  Inception first_;
  Inception second_;
};

class TimesNet : public Backbone {
 public:
  TimesNet(Parameters& parameters, const ModelShape& shape)
      : channels_(shape.channels),
        lookback_(shape.lookback),
        horizon_(shape.horizon),
        features_(shape.features),
        sizes_(shape.sizes),
        positions_(shape.lookback, sizes_.width),
        embed_(parameters.add("backbone.embed.weight", {sizes_.width, channels_, 3})),
        extend_(parameters, "backbone.extend", lookback_, lookback_ + horizon_),
        norm_(parameters, "backbone.norm", sizes_.width),
        project_(parameters, "backbone.project", sizes_.width, channels_) {
    if (features_ > 0) {
      marks_ = parameters.add("backbone.marks.weight", {sizes_.width, features_, 1});
    }
    for (std::size_t i = 0; i < sizes_.layers; ++i) {
      blocks_.emplace_back(parameters, "backbone.blocks." + std::to_string(i), sizes_,
                           lookback_ + horizon_);
    }
  }

  // Normal for a leaky ReLU without a leak, as published.
  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    parameters.fill_normal(embed_, seed, std::sqrt(2.0f / static_cast<float>(3 * channels_)));
    if (marks_) initialise_by_fan_in(parameters, *marks_, seed, features_);
    extend_.initialise(parameters, seed);
    for (const TimesBlock& block : blocks_) block.initialise(parameters, seed);
    norm_.initialise(parameters);
    project_.initialise(parameters, seed);
  }

  bool needs_whole_batch() const override { return true; }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    std::call_once(is_planned_, [this] { fft_.emplace(lookback_ + horizon_); });
    DropoutPlaces places(context, sizes_.dropout);
    const Tensor embedded = places.drop(tape, embed(tape, weights, x, context));
    Tensor series = extend_(tape, weights, embedded);  // (samples, width, T + H)
    Tensor steps;                                      // (samples, T + H, width)
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (i > 0) series = transpose(tape, steps);
      const Tensor seen = blocks_[i](tape, weights, series, *fft_, context.is_training);
      steps = norm_(tape, weights, transpose(tape, seen));
    }
    const Tensor future = take_tokens(tape, steps, lookback_, horizon_);
    return transpose(tape, project_(tape, weights, future)).reshaped({x.shape[0], horizon_});
  }

 private:
  // x (samples * C, T) -> (samples, width, T): a convolution over three steps of all channels, that
  // joins the ends of the history, the calendar and the position of each step.
  Tensor embed(Tape& tape, BoundParameters& weights, const Tensor& x,
               const BackboneContext& context) const {
    const Tensor wrapped =
        wrap_ends(tape, x, 1).reshaped({context.samples.size(), channels_, lookback_ + 2});
    Tensor embedded = convolution_1d(tape, wrapped, weights[embed_], 0);
    if (marks_) {
      embedded = add(tape, embedded,
                     convolution_1d(tape, context.history_marks(tape), weights[*marks_], 0));
    }
    return add_to_rows(tape, embedded, transpose(tape, positions_(tape)));
  }

  std::size_t channels_;
  std::size_t lookback_;
  std::size_t horizon_;
  std::size_t features_;
  BackboneSizes sizes_;
  Positions positions_;
  ParameterId embed_;
  std::optional<ParameterId> marks_;
  LinearLayer extend_;
  std::vector<TimesBlock> blocks_;
  LayerNormLayer norm_;
  LinearLayer project_;
  // Planned when first needed: a file may claim any length.
  mutable std::once_flag is_planned_;
  mutable std::optional<kernels::RealFft> fft_;
};

}  // namespace

std::unique_ptr<Backbone> make_timesnet(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<TimesNet>(parameters, shape);
}

}  // namespace pulsecast::model
