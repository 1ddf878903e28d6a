// CFPT (Kou et al., 2025): one half of the forecast's weight comes from the history's spectrum, the
// rest from the calendar of the steps to come.
//
// The low and the high half of the spectrum become two vectors, which coupling blocks scale and
// shift by each other; a linear map of both is the spectrum of the future. The calendar of the
// future, a few features a step, is laid out as pictures of (features, steps of a patch), one a
// patch, that a convolution mixes; the result is a forecast for any history on that day. The two
// are added by a fixed share. Without calendar features the spectrum forecasts alone.
//
// The published model gives each half of the spectrum as a vector with zeros where the other is;
// ours leaves out the weights that multiply those, and begins the others as if they were there. It
// reads real parts before imaginary ones, ours a bin after the other: the same up to the names of
// weights. Its patches divide the horizon; ours are filled up with zeros. With fewer than
// kLeastWidth channels the calendar is wider than they are: a norm of one value forgets it.

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/spectrum/fft.h"
#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

using namespace autodiff;

constexpr std::size_t kLeastWidth = 4;
constexpr float kFirstGain = 0.1f;

// Linear, layer norm, ReLU, linear: what one half makes of the other.
class CouplingNet {
 public:
  CouplingNet(Parameters& parameters, const std::string& name, std::size_t half)
      : expand_(parameters, name + ".expand", half, 2 * half),
        norm_(parameters, name + ".norm", 2 * half),
        contract_(parameters, name + ".contract", 2 * half, half) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    expand_.initialise(parameters, seed);
    norm_.initialise(parameters);
    contract_.initialise(parameters, seed);
  }

  // x (rows, half) -> (rows, half)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
    const Tensor inner = norm_(tape, weights, expand_(tape, weights, x));
    return contract_(tape, weights, relu(tape, inner));
  }

 private:
  LinearLayer expand_;
  LayerNormLayer norm_;
  LinearLayer contract_;
};

// One half scaled and shifted by the other.
class Coupling {
 public:
  Coupling(Parameters& parameters, const std::string& name, std::size_t half)
      : scale_(parameters, name + ".scale", half),
        shift_(parameters, name + ".shift", half),
        gain_(parameters.add(name + ".gain", {1})) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    scale_.initialise(parameters, seed);
    shift_.initialise(parameters, seed);
    parameters.fill(gain_, kFirstGain);
  }

  // own and other (rows, half) -> own, changed
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& own,
                    const Tensor& other) const {
    const Tensor logs = scale_(tape, weights, other);
    return couple(tape, own, logs, shift_(tape, weights, other), weights[gain_]);
  }

 private:
  CouplingNet scale_;
  CouplingNet shift_;
  ParameterId gain_;
};

// The history's spectrum to that of the future.
class SpectrumBranch {
 public:
  SpectrumBranch(Parameters& parameters, const ModelShape& shape)
      : lookback_(shape.lookback),
        horizon_(shape.horizon),
        bins_(shape.lookback / 2 + 1),
        split_(bins_ / 2),
        low_(parameters, "backbone.low", 2 * split_, half_of(shape.sizes)),
        high_(parameters, "backbone.high", 2 * (bins_ - split_), half_of(shape.sizes)),
        low_head_(parameters, "backbone.low_head", half_of(shape.sizes), 2 * (horizon_ / 2 + 1)),
        high_head_(parameters, "backbone.high_head", half_of(shape.sizes), 2 * (horizon_ / 2 + 1)) {
    for (std::size_t i = 0; i < shape.sizes.layers; ++i) {
      const std::string name = "backbone.blocks." + std::to_string(i);
      blocks_.push_back({Coupling(parameters, name + ".low", half_of(shape.sizes)),
                         Coupling(parameters, name + ".high", half_of(shape.sizes))});
    }
  }

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    low_.initialise(parameters, seed, 2 * bins_);
    high_.initialise(parameters, seed, 2 * bins_);
    for (const Block& block : blocks_) {
      block.low.initialise(parameters, seed);
      block.high.initialise(parameters, seed);
    }
    low_head_.initialise(parameters, seed);
    high_head_.initialise(parameters, seed);
  }

  // x (rows, T) -> (rows, H)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
    std::call_once(is_planned_, [this] {
      history_fft_.emplace(lookback_);
      future_fft_.emplace(horizon_);
    });
    const std::size_t rows = x.shape[0];
    const Tensor z = spectrum(tape, x, *history_fft_);  // (rows, bins, 2)
    const auto part = [&](std::size_t first, std::size_t count) {
      return take_tokens(tape, z, first, count).reshaped({rows, 2 * count});
    };
    Tensor low = low_(tape, weights, part(0, split_));
    Tensor high = high_(tape, weights, part(split_, bins_ - split_));
    for (const Block& block : blocks_) {
      low = block.low(tape, weights, low, high);
      high = block.high(tape, weights, high, low);
    }
    const Tensor future = add(tape, low_head_(tape, weights, low), high_head_(tape, weights, high));
    return inverse_spectrum(tape, future.reshaped({rows, future_fft_->bins(), 2}), *future_fft_);
  }

 private:
  struct Block {
    Coupling low;
    Coupling high;
  };

  static std::size_t half_of(const BackboneSizes& sizes) {
    if (sizes.width % 2 == 0) return sizes.width / 2;
    throw_error(ErrorKind::kUsage, "model",
                "the width of cfpt has two halves, so it must be even, not {}", sizes.width);
  }

  std::size_t lookback_;
  std::size_t horizon_;
  std::size_t bins_;   // of the history
  std::size_t split_;  // the first of the high half
  LinearLayer low_;
  LinearLayer high_;
  std::vector<Block> blocks_;
  LinearLayer low_head_;
  LinearLayer high_head_;
  // Planned when first needed: a file may claim any length.
  mutable std::once_flag is_planned_;
  mutable std::optional<kernels::RealFft> history_fft_;
  mutable std::optional<kernels::RealFft> future_fft_;
};

// The calendar of the steps to come to a forecast for any history.
class CalendarBranch {
 public:
  CalendarBranch(Parameters& parameters, const ModelShape& shape)
      : horizon_(shape.horizon),
        channels_(shape.channels),
        patch_(shape.sizes.patch),
        patches_((shape.horizon + patch_ - 1) / patch_),
        kernel_(shape.sizes.kernel),
        inner_(std::max(shape.channels, kLeastWidth)),
        first_(parameters, "backbone.first", shape.features, first_width(shape)),
        first_norm_(parameters, "backbone.first_norm", first_width(shape)),
        second_(parameters, "backbone.second", first_width(shape), inner_),
        second_norm_(parameters, "backbone.second_norm", inner_),
        mix_(parameters.add("backbone.mix.weight", {patches_, patches_, kernel_, kernel_})),
        mix_bias_(parameters.add("backbone.mix.bias", {patches_})),
        output_(parameters, "backbone.output", inner_, channels_),
        spread_(parameters, "backbone.spread", horizon_, horizon_) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    first_.initialise(parameters, seed);
    first_norm_.initialise(parameters);
    second_.initialise(parameters, seed);
    second_norm_.initialise(parameters);
    initialise_by_fan_in(parameters, mix_, seed, patches_ * kernel_ * kernel_);
    initialise_by_fan_in(parameters, mix_bias_, seed, patches_ * kernel_ * kernel_);
    output_.initialise(parameters, seed);
    spread_.initialise(parameters, seed);
  }

  // marks (samples, F, H) -> (samples * C, H)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& marks) const {
    const std::size_t samples = marks.shape[0];
    const Tensor first =
        relu(tape, first_norm_(tape, weights, first_(tape, weights, transpose(tape, marks))));
    const Tensor steps =
        relu(tape, second_norm_(tape, weights, second_(tape, weights, first)));  // (samples, H, i)
    const std::size_t filled = patches_ * patch_;
    const Tensor whole =
        resize_width(tape, steps.reshaped({samples, horizon_ * inner_}), filled * inner_);
    const Tensor pictures = transpose(tape, whole.reshaped({samples * patches_, patch_, inner_}));
    const std::size_t size = kernel_ + 1 - kernel_ % 2;
    const Tensor mixed = convolution_2d(
        tape, pictures.reshaped({samples, patches_, inner_, patch_}),
        centre_kernel(tape, weights[mix_], size), weights[mix_bias_], size / 2, size / 2);
    // As published, the pictures are read on as steps of features as they lie, not turned back.
    const Tensor told = take_tokens(tape, mixed.reshaped({samples, filled, inner_}), 0, horizon_);
    const Tensor channels = transpose(tape, output_(tape, weights, told));  // (samples, C, H)
    return spread_(tape, weights, channels).reshaped({samples * channels_, horizon_});
  }

 private:
  static std::size_t first_width(const ModelShape& shape) {
    return std::max(shape.channels / shape.sizes.calendar_shrink, kLeastWidth);
  }

  std::size_t horizon_;
  std::size_t channels_;
  std::size_t patch_;
  std::size_t patches_;
  std::size_t kernel_;
  std::size_t inner_;
  LinearLayer first_;
  LayerNormLayer first_norm_;
  LinearLayer second_;
  LayerNormLayer second_norm_;
  ParameterId mix_;
  ParameterId mix_bias_;
  LinearLayer output_;
  LinearLayer spread_;
};

class Cfpt : public Backbone {
 public:
  Cfpt(Parameters& parameters, const ModelShape& shape)
      : share_(shape.sizes.frequency_share), spectrum_(parameters, shape) {
    if (shape.features > 0) calendar_.emplace(parameters, shape);
  }

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    spectrum_.initialise(parameters, seed);
    if (calendar_) calendar_->initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    const Tensor own = spectrum_(tape, weights, x);
    if (!calendar_) return own;
    const Tensor told = (*calendar_)(tape, weights, context.future_marks(tape));
    return mix(tape, own, told, share_);
  }

 private:
  float share_;
  SpectrumBranch spectrum_;
  std::optional<CalendarBranch> calendar_;
};

}  // namespace

std::unique_ptr<Backbone> make_cfpt(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<Cfpt>(parameters, shape);
}

}  // namespace pulsecast::model
