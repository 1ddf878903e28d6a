// PatchTST (Nie et al., 2023), as Time-Series-Library has it: overlapping patches of a channel are
// tokens, an encoder runs over them, one batch norm after it, and one linear layer maps all tokens
// to the future. Channels share everything and never meet. Its forecast is dropped in part as it
// was published, but not inside PULSE (backbone.h).

#include "pulsecast/kernels/pointwise/rearrange.h"
#include "pulsecast/model/backbone.h"
#include "pulsecast/model/encoder_layer.h"
#include "pulsecast/model/positions.h"

namespace pulsecast::model {
namespace {

class PatchTst : public Backbone {
 public:
  PatchTst(Parameters& parameters, const ModelShape& shape)
      : sizes_(shape.sizes),
        drops_forecast_(shape.alone),
        patches_(kernels::strided_patches(shape.lookback, sizes_.patch, sizes_.stride)),
        positions_(patches_, sizes_.width),
        embed_(parameters.add("backbone.embed.weight", {sizes_.width, sizes_.patch})),
        encoder_(parameters, "backbone.encoder", sizes_),
        norm_(parameters, "backbone.norm", sizes_.width),
        head_(parameters, "backbone.head", sizes_.width * patches_, shape.horizon) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    initialise_by_fan_in(parameters, embed_, seed, sizes_.patch);
    encoder_.initialise(parameters, seed);
    norm_.initialise(parameters);
    head_.initialise(parameters, seed);
  }

  bool needs_whole_batch() const override { return true; }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    DropoutPlaces places(context, sizes_.dropout);
    const Tensor patches =
        autodiff::to_strided_patches(tape, x, sizes_.patch, sizes_.stride);  // (rows, N, P)
    const Tensor tokens =
        autodiff::add_to_rows(tape, autodiff::linear(tape, patches, weights[embed_]),
                              positions_(tape));  // (rows, N, width)
    const Tensor seen = encoder_(tape, weights, places.drop(tape, tokens), places);
    const Tensor normal = norm_(tape, weights, seen, context.is_training);
    const Tensor flat = normal.reshaped({x.shape[0], patches_ * sizes_.width});
    const Tensor future = head_(tape, weights, flat);
    return drops_forecast_ ? places.drop(tape, future) : future;
  }

 private:
  BackboneSizes sizes_;
  bool drops_forecast_;
  std::size_t patches_;
  Positions positions_;
  ParameterId embed_;
  Encoder encoder_;
  BatchNormLayer norm_;
  LinearLayer head_;
};

}  // namespace

std::unique_ptr<Backbone> make_patchtst(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<PatchTst>(parameters, shape);
}

}  // namespace pulsecast::model
