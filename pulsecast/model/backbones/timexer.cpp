// TimeXer (Wang et al., 2024): a channel's patches are tokens, with one more token for the channel
// as a whole. Attention runs between these; then each channel's own token asks the whole histories
// of all channels, of the columns of the past and of the calendar, and carries the answer back to
// the patches.
//
// A look-back that is no multiple of the patch is continued on its old side with its first value;
// the published code leaves out the newest steps instead. Its forecast is dropped in part as it was
// published, but not inside PULSE (backbone.h).

#include "pulsecast/model/backbone.h"
#include "pulsecast/model/encoder_layer.h"
#include "pulsecast/model/positions.h"

namespace pulsecast::model {
namespace {

class CrossLayer {
 public:
  CrossLayer(Parameters& parameters, const std::string& name, const BackboneSizes& sizes)
      : attention_(parameters, name + ".attention", sizes.width, sizes.heads),
        attention_norm_(parameters, name + ".attention_norm", sizes.width),
        cross_(parameters, name + ".cross", sizes.width, sizes.heads),
        cross_norm_(parameters, name + ".cross_norm", sizes.width),
        feed_forward_(parameters, name + ".feed_forward", sizes),
        feed_forward_norm_(parameters, name + ".feed_forward_norm", sizes.width) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    attention_.initialise(parameters, seed);
    attention_norm_.initialise(parameters);
    cross_.initialise(parameters, seed);
    cross_norm_.initialise(parameters);
    feed_forward_.initialise(parameters, seed);
    feed_forward_norm_.initialise(parameters);
  }

  // x (samples * C, N + 1, width), the channel's own token last; all (samples, C + P + F,
  // width)
  // -> as x
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x, const Tensor& all,
                    DropoutPlaces& places) const {
    using namespace autodiff;
    const std::size_t rows = x.shape[0];
    const std::size_t patches = x.shape[1] - 1;
    const std::size_t width = x.shape[2];
    const std::size_t samples = all.shape[0];
    const Tensor seen = places.drop(tape, attention_(tape, weights, x, x, places));
    const Tensor tokens = attention_norm_(tape, weights, add(tape, x, seen));
    const Tensor own =
        take_tokens(tape, tokens, patches, 1).reshaped({samples, rows / samples, width});
    const Tensor told = places.drop(tape, cross_(tape, weights, own, all, places));
    const Tensor global = cross_norm_(tape, weights, add(tape, own, told));
    const Tensor joined =
        join_tokens(tape, take_tokens(tape, tokens, 0, patches), global.reshaped({rows, 1, width}));
    const Tensor mapped = feed_forward_(tape, weights, joined, places);
    return feed_forward_norm_(tape, weights, add(tape, joined, mapped));
  }

 private:
  HeadsLayer attention_;
  LayerNormLayer attention_norm_;
  HeadsLayer cross_;
  LayerNormLayer cross_norm_;
  FeedForward feed_forward_;
  LayerNormLayer feed_forward_norm_;
};

class TimeXer : public Backbone {
 public:
  TimeXer(Parameters& parameters, const ModelShape& shape)
      : channels_(shape.channels),
        has_past_(shape.past > 0),
        past_normalisation_(past_normalisation(shape)),
        has_marks_(shape.features > 0),
        drops_forecast_(shape.alone),
        sizes_(shape.sizes),
        patches_((shape.lookback + sizes_.patch - 1) / sizes_.patch),
        positions_(patches_, sizes_.width),
        embed_(parameters.add("backbone.embed.weight", {sizes_.width, sizes_.patch})),
        channel_(parameters.add("backbone.channel", {shape.channels, sizes_.width})),
        exogenous_(parameters, "backbone.exogenous", shape.lookback, sizes_.width),
        layers_(make_layers(parameters, sizes_)),
        norm_(parameters, "backbone.norm", sizes_.width),
        head_(parameters, "backbone.head", sizes_.width * (patches_ + 1), shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    initialise_by_fan_in(parameters, embed_, seed, sizes_.patch);
    parameters.fill_normal(channel_, seed, 1.0f);
    exogenous_.initialise(parameters, seed);
    for (const CrossLayer& layer : layers_) layer.initialise(parameters, seed);
    norm_.initialise(parameters);
    head_.initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    DropoutPlaces places(context, sizes_.dropout);
    Tensor tokens = places.drop(tape, tokens_of(tape, weights, x));
    Tensor series = x.reshaped({context.samples.size(), channels_, x.shape[1]});
    if (has_past_) {
      series = autodiff::join_tokens(tape, series, context.past_rows(tape, past_normalisation_));
    }
    if (has_marks_) series = autodiff::join_tokens(tape, series, context.history_marks(tape));
    const Tensor all = places.drop(tape, exogenous_(tape, weights, series));
    for (const CrossLayer& layer : layers_) tokens = layer(tape, weights, tokens, all, places);
    const Tensor normal = norm_(tape, weights, tokens);
    const Tensor flat = normal.reshaped({x.shape[0], (patches_ + 1) * sizes_.width});
    const Tensor future = head_(tape, weights, flat);
    return drops_forecast_ ? places.drop(tape, future) : future;
  }

 private:
  static std::vector<CrossLayer> make_layers(Parameters& parameters, const BackboneSizes& sizes) {
    std::vector<CrossLayer> layers;
    for (std::size_t i = 0; i < sizes.layers; ++i) {
      layers.emplace_back(parameters, "backbone.encoder." + std::to_string(i), sizes);
    }
    return layers;
  }

  // x (samples * C, T) -> (samples * C, N + 1, width): patches with their positions, then the
  // channel's own.
  Tensor tokens_of(Tape& tape, BoundParameters& weights, const Tensor& x) const {
    const std::size_t rows = x.shape[0];
    const Tensor patches = autodiff::transpose(
        tape, autodiff::to_patches(tape, x, sizes_.patch, autodiff::PadSide::kLeft));
    const Tensor placed = autodiff::add_to_rows(
        tape, autodiff::linear(tape, patches, weights[embed_]), positions_(tape));
    const std::span<std::uint32_t> channel_of = tape.arena().allocate<std::uint32_t>(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      channel_of[row] = static_cast<std::uint32_t>(row % channels_);
    }
    const Tensor own = autodiff::gather_rows(tape, weights[channel_], channel_of.data(), rows);
    return autodiff::join_tokens(tape, placed, own.reshaped({rows, 1, sizes_.width}));
  }

  std::size_t channels_;
  bool has_past_;
  Normalisation past_normalisation_;
  bool has_marks_;
  bool drops_forecast_;
  BackboneSizes sizes_;
  std::size_t patches_;
  Positions positions_;
  ParameterId embed_;
  ParameterId channel_;
  LinearLayer exogenous_;
  std::vector<CrossLayer> layers_;
  LayerNormLayer norm_;
  LinearLayer head_;
};

}  // namespace

std::unique_ptr<Backbone> make_timexer(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<TimeXer>(parameters, shape);
}

}  // namespace pulsecast::model
