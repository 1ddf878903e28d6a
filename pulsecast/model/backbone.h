// What forecasts the normalised history: the part of PULSE that can be any forecaster.
//
// A backbone declares its weights, says how they begin, and maps rows of history to rows of future.
// Rows are (sample, channel) pairs with the channel running fastest, so one that lets channels look
// at each other finds them side by side; a pass always has whole samples. What else it may look at
// is in backbone_context.h. One window's forecast never depends on which others it is made with.
//
// Alone, outside PULSE, a backbone has the normalisation that it was published with; inside, it has
// none of its own. Nor does it drop values of its forecast there, as some do: the squared error
// learns to shrink the rest, but in the spectrum a dropped value is noise at every frequency.
//
// To add one: copy a file in backbones/, name the kind in settings/model_settings.h, and give it a
// line in backbone.cpp.
#pragma once

#include <memory>

#include "pulsecast/model/backbone_context.h"
#include "pulsecast/model/layers.h"
#include "pulsecast/model/model_shape.h"
#include "pulsecast/model/normaliser.h"

namespace pulsecast::model {

class Backbone {
 public:
  virtual ~Backbone() = default;
  virtual void initialise(Parameters& parameters, std::uint64_t seed) const = 0;
  // x (samples * C, T) -> (samples * C, H)
  virtual Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                         const BackboneContext& context) const = 0;
  // Whether a training pass must have all samples of the batch at once, because something in it is
  // of the batch as a whole (batch norm, TimesNet's periods). The batch is then one shard, whose
  // operations share the threads.
  virtual bool needs_whole_batch() const { return false; }
};

struct BackboneMaker {
  // Declares the weights, under "backbone.".
  std::unique_ptr<Backbone> (*make)(Parameters& parameters, const ModelShape& shape);
  Normalisation alone;  // what it was published with
};

BackboneMaker backbone_maker(BackboneKind kind);

// How a backbone has the columns of the past: as the histories beside them, but that inside PULSE
// they have no channel whose gamma and beta they could share.
Normalisation past_normalisation(const ModelShape& shape);

// One a file in backbones/.
std::unique_ptr<Backbone> make_mlp(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_dlinear(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_sparsetsf(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_cyclenet(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_itransformer(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_patchtst(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_timesnet(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_timexer(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_cfpt(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_msgnet(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_crossformer(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_channel_linear(Parameters& parameters, const ModelShape& shape);
std::unique_ptr<Backbone> make_linear(Parameters& parameters, const ModelShape& shape);

}  // namespace pulsecast::model
