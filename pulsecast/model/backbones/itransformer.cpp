// iTransformer (Liu et al., 2024): a channel's whole history is one token, and attention runs
// between the channels of a sample. Columns of the past, calendar features and known columns are
// tokens beside them, to be looked at and not forecast.

#include "pulsecast/model/backbone.h"
#include "pulsecast/model/encoder_layer.h"

namespace pulsecast::model {
namespace {

class ITransformer : public Backbone {
 public:
  ITransformer(Parameters& parameters, const ModelShape& shape)
      : channels_(shape.channels),
        has_past_(shape.past > 0),
        past_normalisation_(past_normalisation(shape)),
        has_marks_(shape.features > 0),
        sizes_(shape.sizes),
        embed_(parameters, "backbone.embed", shape.lookback, sizes_.width),
        encoder_(parameters, "backbone.encoder", sizes_),
        norm_(parameters, "backbone.norm", sizes_.width),
        project_(parameters, "backbone.project", sizes_.width, shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    embed_.initialise(parameters, seed);
    encoder_.initialise(parameters, seed);
    norm_.initialise(parameters);
    project_.initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    Tensor series = x.reshaped({context.samples.size(), channels_, x.shape[1]});
    if (has_past_) {
      series = autodiff::join_tokens(tape, series, context.past_rows(tape, past_normalisation_));
    }
    if (has_marks_) series = autodiff::join_tokens(tape, series, context.history_marks(tape));
    DropoutPlaces places(context, sizes_.dropout);
    const Tensor tokens = places.drop(tape, embed_(tape, weights, series));
    const Tensor seen = encoder_(tape, weights, tokens, places);  // (samples, C + P + F, width)
    const Tensor own = autodiff::take_tokens(tape, seen, 0, channels_);
    const Tensor y = project_(tape, weights, norm_(tape, weights, own));
    return y.reshaped({x.shape[0], y.shape[2]});
  }

 private:
  std::size_t channels_;
  bool has_past_;
  Normalisation past_normalisation_;
  bool has_marks_;
  BackboneSizes sizes_;
  LinearLayer embed_;
  Encoder encoder_;
  LayerNormLayer norm_;
  LinearLayer project_;
};

}  // namespace

std::unique_ptr<Backbone> make_itransformer(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<ITransformer>(parameters, shape);
}

}  // namespace pulsecast::model
